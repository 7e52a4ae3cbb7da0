//! Converts anything that serde can serialize to values in an arena, and those to `serde_json`, in one pass each.

use std::fmt;

use kindsmith_json::{Arena, Entry, Object, Value};
use serde::ser::{self, Serialize};

/// Writes a value into an arena.
///
/// # Errors
///
/// If it cannot be JSON: keys that are not strings, bytes, or an error of its own `Serialize`.
pub fn to_value<'a>(arena: &'a Arena, value: &impl Serialize) -> Result<Value<'a>, BridgeError> {
    value.serialize(Bridge { arena, depth: 0 })
}

/// A value of an arena as a `serde_json` value.
#[must_use]
pub fn to_json(value: Value<'_>) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(value) => value.into(),
        Value::Int(value) => value.into(),
        Value::Uint(value) => value.into(),
        Value::Float(value) => value.into(),
        Value::Str(value) => value.into(),
        Value::Array(items) => items.iter().map(|&item| to_json(item)).collect(),
        Value::Object(object) => object
            .iter()
            .map(|(key, value)| (key.to_owned(), to_json(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
    }
}

/// How deep values may be nested, so that none overflows the stack.
const MAX_DEPTH: usize = 512;

/// Why a value cannot be JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BridgeError(String);

impl fmt::Display for BridgeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for BridgeError {}

impl ser::Error for BridgeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

#[derive(Clone, Copy)]
struct Bridge<'a> {
    arena: &'a Arena,
    depth: usize,
}

impl<'a> Bridge<'a> {
    fn object(self, entries: &[Entry<'a>]) -> Value<'a> {
        let entries = self.arena.alloc_slice_copy(entries);
        Value::Object(Object::from_entries(self.arena, entries))
    }

    /// The serializer for the content of a list or an object.
    fn below(self) -> Result<Self, BridgeError> {
        if self.depth == MAX_DEPTH {
            return Err(BridgeError(format!(
                "values are nested deeper than {MAX_DEPTH} levels"
            )));
        }
        Ok(Self {
            depth: self.depth + 1,
            ..self
        })
    }

    /// A value inside an enum variant: `{"Variant": value}`.
    fn variant(self, name: &'static str, value: Value<'a>) -> Value<'a> {
        self.object(&[Entry { key: name, value }])
    }
}

/// A number as its text is read: JSON has `0.1`, not the nearest one of 32 bits.
pub(crate) fn written(value: f32) -> f64 {
    const EXACT: f32 = (1 << f32::MANTISSA_DIGITS) as f32;
    if value.fract() == 0.0 && value.abs() < EXACT {
        return value.into();
    }
    value.to_string().parse().unwrap_or(f64::NAN)
}

impl<'a> ser::Serializer for Bridge<'a> {
    type Ok = Value<'a>;
    type Error = BridgeError;
    type SerializeSeq = Items<'a>;
    type SerializeTuple = Items<'a>;
    type SerializeTupleStruct = Items<'a>;
    type SerializeTupleVariant = Items<'a>;
    type SerializeMap = Members<'a>;
    type SerializeStruct = Members<'a>;
    type SerializeStructVariant = Members<'a>;

    fn serialize_bool(self, value: bool) -> Result<Value<'a>, BridgeError> {
        Ok(Value::Bool(value))
    }

    fn serialize_i8(self, value: i8) -> Result<Value<'a>, BridgeError> {
        Ok(Value::Int(value.into()))
    }

    fn serialize_i16(self, value: i16) -> Result<Value<'a>, BridgeError> {
        Ok(Value::Int(value.into()))
    }

    fn serialize_i32(self, value: i32) -> Result<Value<'a>, BridgeError> {
        Ok(Value::Int(value.into()))
    }

    fn serialize_i64(self, value: i64) -> Result<Value<'a>, BridgeError> {
        Ok(Value::Int(value))
    }

    fn serialize_u8(self, value: u8) -> Result<Value<'a>, BridgeError> {
        Ok(Value::Int(value.into()))
    }

    fn serialize_u16(self, value: u16) -> Result<Value<'a>, BridgeError> {
        Ok(Value::Int(value.into()))
    }

    fn serialize_u32(self, value: u32) -> Result<Value<'a>, BridgeError> {
        Ok(Value::Int(value.into()))
    }

    fn serialize_u64(self, value: u64) -> Result<Value<'a>, BridgeError> {
        Ok(i64::try_from(value).map_or(Value::Uint(value), Value::Int))
    }

    fn serialize_f32(self, value: f32) -> Result<Value<'a>, BridgeError> {
        self.serialize_f64(written(value))
    }

    fn serialize_f64(self, value: f64) -> Result<Value<'a>, BridgeError> {
        // As serde_json does: JSON has neither infinity nor NaN.
        Ok(if value.is_finite() {
            Value::Float(value)
        } else {
            Value::Null
        })
    }

    fn serialize_char(self, value: char) -> Result<Value<'a>, BridgeError> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<Value<'a>, BridgeError> {
        Ok(Value::Str(self.arena.alloc_str(value)))
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<Value<'a>, BridgeError> {
        let items: Vec<Value<'a>> = value.iter().map(|&byte| Value::Int(byte.into())).collect();
        Ok(Value::Array(self.arena.alloc_slice_copy(&items)))
    }

    fn serialize_none(self) -> Result<Value<'a>, BridgeError> {
        Ok(Value::Null)
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<Value<'a>, BridgeError> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Value<'a>, BridgeError> {
        Ok(Value::Null)
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<Value<'a>, BridgeError> {
        Ok(Value::Null)
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<Value<'a>, BridgeError> {
        Ok(Value::Str(variant))
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<Value<'a>, BridgeError> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Value<'a>, BridgeError> {
        let value = value.serialize(self.below()?)?;
        Ok(self.variant(variant, value))
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Items<'a>, BridgeError> {
        Ok(Items {
            bridge: self.below()?,
            items: Vec::with_capacity(length.unwrap_or_default().min(1024)),
            variant: None,
        })
    }

    fn serialize_tuple(self, length: usize) -> Result<Items<'a>, BridgeError> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_struct(self, _name: &'static str, length: usize) -> Result<Items<'a>, BridgeError> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Items<'a>, BridgeError> {
        let items = self.serialize_seq(Some(length))?;
        Ok(Items {
            variant: Some(variant),
            ..items
        })
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Members<'a>, BridgeError> {
        Ok(Members {
            bridge: self.below()?,
            entries: Vec::with_capacity(length.unwrap_or_default().min(1024)),
            key: "",
            variant: None,
        })
    }

    fn serialize_struct(self, _name: &'static str, length: usize) -> Result<Members<'a>, BridgeError> {
        self.serialize_map(Some(length))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Members<'a>, BridgeError> {
        let members = self.serialize_map(Some(length))?;
        Ok(Members {
            variant: Some(variant),
            ..members
        })
    }
}

struct Items<'a> {
    bridge: Bridge<'a>,
    items: Vec<Value<'a>>,
    variant: Option<&'static str>,
}

impl<'a> Items<'a> {
    fn push<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), BridgeError> {
        self.items.push(value.serialize(self.bridge)?);
        Ok(())
    }

    fn finish(self) -> Value<'a> {
        let list = Value::Array(self.bridge.arena.alloc_slice_copy(&self.items));
        match self.variant {
            Some(variant) => self.bridge.variant(variant, list),
            None => list,
        }
    }
}

/// Serde has a trait for each sort of sequence, all alike.
macro_rules! sequences {
    ($($sequence:ident: $method:ident,)*) => {$(
        impl<'a> ser::$sequence for Items<'a> {
            type Ok = Value<'a>;
            type Error = BridgeError;

            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), BridgeError> {
                self.push(value)
            }

            fn end(self) -> Result<Value<'a>, BridgeError> {
                Ok(self.finish())
            }
        }
    )*};
}

sequences! {
    SerializeSeq: serialize_element,
    SerializeTuple: serialize_element,
    SerializeTupleStruct: serialize_field,
    SerializeTupleVariant: serialize_field,
}

struct Members<'a> {
    bridge: Bridge<'a>,
    entries: Vec<Entry<'a>>,
    key: &'a str,
    variant: Option<&'static str>,
}

impl<'a> Members<'a> {
    fn push<T: ?Sized + Serialize>(&mut self, key: &'a str, value: &T) -> Result<(), BridgeError> {
        let value = value.serialize(self.bridge)?;
        self.entries.push(Entry { key, value });
        Ok(())
    }

    fn finish(self) -> Value<'a> {
        let object = self.bridge.object(&self.entries);
        match self.variant {
            Some(variant) => self.bridge.variant(variant, object),
            None => object,
        }
    }
}

impl<'a> ser::SerializeMap for Members<'a> {
    type Ok = Value<'a>;
    type Error = BridgeError;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), BridgeError> {
        self.key = match key.serialize(self.bridge)? {
            Value::Str(key) => key,
            // As serde_json does: keys that are numbers or booleans become strings.
            number @ (Value::Int(_) | Value::Uint(_) | Value::Bool(_)) => {
                self.bridge.arena.alloc_str(&kindsmith_json::to_string(number))
            }
            _ => return Err(BridgeError("a key must be a string".to_owned())),
        };
        Ok(())
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), BridgeError> {
        self.push(self.key, value)
    }

    fn end(self) -> Result<Value<'a>, BridgeError> {
        Ok(self.finish())
    }
}

/// As for sequences.
macro_rules! structs {
    ($($structure:ident,)*) => {$(
        impl<'a> ser::$structure for Members<'a> {
            type Ok = Value<'a>;
            type Error = BridgeError;

            fn serialize_field<T: ?Sized + Serialize>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), BridgeError> {
                self.push(key, value)
            }

            fn end(self) -> Result<Value<'a>, BridgeError> {
                Ok(self.finish())
            }
        }
    )*};
}

structs! {
    SerializeStruct,
    SerializeStructVariant,
}
