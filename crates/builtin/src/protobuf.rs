//! `application/vnd.kubernetes.protobuf`: objects as protocol buffers, by the numbers in the `protobuf:` struct tags of
//! their Go types. Bytes are those that Kubernetes' generated code writes. Knows no kinds, only types.
//!
//! ```
//! use kindsmith_json::{Arena, parse_str};
//! use kindsmith_builtin::{protobuf, types};
//! use kindsmith_schema::TypeName;
//!
//! let schema = types::own_schema();
//! let codec = protobuf::Codec::new(schema);
//! let config_map = schema.find(&TypeName::new("k8s.io/api/core/v1", "ConfigMap")).unwrap();
//!
//! let arena = Arena::new();
//! let object = parse_str(&arena, r#"{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"k":"v"}}"#)?;
//! let body = codec.encode(config_map, object)?;
//! assert_eq!(codec.decode(&arena, config_map, &body)?, object);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod body;
mod decode;
mod encode;
mod envelope;
mod error;
mod special;
mod table;
mod wire;

use std::sync::Arc;

use kindsmith_json::{Arena, Entry, Object, Value};
use kindsmith_schema::{Schema, TypeId};

pub use body::json_body;
pub use envelope::{Envelope, PREFIX, Sealed, frame, item_head, open, seal};
pub use error::Error;

use decode::Decoder;
use encode::Encoder;
use table::{Message, Table};
use wire::Writer;

/// How deeply messages may be nested.
const MAX_DEPTH: usize = 256;

/// Converts objects of all types in one schema.
#[derive(Debug)]
pub struct Codec {
    table: Table,
}

impl Codec {
    /// The codec of a schema. Nothing of a type is looked at before it is used.
    #[must_use]
    pub fn new(schema: &Arc<Schema>) -> Self {
        Self {
            table: Table::new(schema),
        }
    }

    /// Whether a type has a protobuf message.
    #[must_use]
    pub fn supports(&self, ty: TypeId) -> bool {
        self.table.message(ty).is_some()
    }

    /// Decodes a whole body as an object of a type. Kind and API version are taken from the body, if it has them.
    ///
    /// # Errors
    /// If the bytes are not such an object.
    pub fn decode<'a>(&self, arena: &'a Arena, ty: TypeId, body: &'a [u8]) -> Result<Value<'a>, Error> {
        self.decode_opened(arena, ty, &open(body)?)
    }

    /// Decodes an object from an envelope that was opened to find its type.
    ///
    /// # Errors
    /// If the bytes are not such an object.
    pub(crate) fn decode_opened<'a>(
        &self,
        arena: &'a Arena,
        ty: TypeId,
        envelope: &Envelope<'a>,
    ) -> Result<Value<'a>, Error> {
        let message = self.message(ty)?;
        let mut decoder = Decoder::new(&self.table, arena);
        let mut entries = Vec::new();
        for (key, text) in [("kind", envelope.kind), ("apiVersion", envelope.api_version)] {
            if !text.is_empty() {
                let value = Value::Str(decoder.text(text));
                entries.push(Entry { key, value });
            }
        }
        decoder.members(message, envelope.message, &mut entries)?;
        Ok(Value::Object(decoder.finish(&entries)))
    }

    /// Encodes an object as a whole body. Kind and API version are those of the object.
    ///
    /// # Errors
    /// If the value does not match the type, or the type has no message.
    pub fn encode(&self, ty: TypeId, object: Value<'_>) -> Result<Vec<u8>, Error> {
        let text = |key| object.get(key).and_then(Value::as_str).unwrap_or_default();
        let message = self.encode_message(ty, object)?;
        Ok(seal(text("apiVersion"), text("kind"), &message))
    }

    /// Encodes only the message of an object.
    ///
    /// # Errors
    /// If the value does not match the type, or the type has no message.
    pub fn encode_message(&self, ty: TypeId, object: Value<'_>) -> Result<Vec<u8>, Error> {
        let mut out = Vec::new();
        self.append_message(&mut out, ty, object)?;
        Ok(out)
    }

    /// Appends only the message of an object; nothing if it cannot be encoded.
    ///
    /// # Errors
    /// If the value does not match the type, or the type has no message.
    pub fn append_message(&self, out: &mut Vec<u8>, ty: TypeId, object: Value<'_>) -> Result<(), Error> {
        let (message, before) = (self.message(ty)?, out.len());
        let mut encoder = Encoder::new(&self.table, Writer::after(std::mem::take(out)));
        let encoded = encoder.message(message, object.as_object().unwrap_or(Object::EMPTY));
        *out = encoder.out.finish();
        if encoded.is_err() {
            out.truncate(before);
        }
        encoded
    }

    fn message(&self, ty: TypeId) -> Result<&Message, Error> {
        let nothing = || Error::NoMessage(format!("type {}", ty.index()).into());
        self.table.message(ty).ok_or_else(nothing)
    }
}
