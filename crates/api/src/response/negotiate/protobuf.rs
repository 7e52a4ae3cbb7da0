//! Protobuf encoding of types shared by all kinds: `meta/v1`. Each resource encodes its own objects.

use kindsmith_builtin::types::{meta_type, own_codec};
use kindsmith_json::Value;

/// The message of a `meta/v1` value. The server builds these values itself, so they always fit the type.
pub(crate) fn meta_message(ty: &str, value: Value<'_>) -> Vec<u8> {
    let message = meta_type(ty).and_then(|ty| own_codec().encode_message(ty, value).ok());
    message.unwrap_or_default()
}
