//! Protobuf of what all kinds share: types of `meta/v1`, and lists. Messages of kinds come from their resource.

use kindsmith_builtin::protobuf;
use kindsmith_builtin::types::{meta_type, own_codec};
use kindsmith_json::Value;

/// The message of a value of a type of `meta/v1`. The server makes these values itself, so that they fit their type.
pub(crate) fn meta_message(ty: &str, value: Value<'_>) -> Vec<u8> {
    let message = meta_type(ty).and_then(|ty| own_codec().encode_message(ty, value).ok());
    message.unwrap_or_default()
}

/// The message of a list of messages.
pub(crate) fn list_message(metadata: Value<'_>, items: &[Vec<u8>]) -> Vec<u8> {
    protobuf::list(&meta_message("ListMeta", metadata), items)
}
