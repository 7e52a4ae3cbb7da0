//! Strings, booleans, numbers, bytes, times and free JSON.

use kindsmith_gostd::base64;
use kindsmith_gostd::time::{Layout, Time};
use kindsmith_json::Value;
use kindsmith_json::write::{Floats, Format, Order};
use kindsmith_schema::{Json, Str};

use super::members::{Element, read_pointer};
use super::{Decoder, Fault, Making, Member};

/// The Go type of timestamps, of either API version.
const TIME: &str = "v1.Time";

impl Element for Str {
    const TYPE: &'static str = "string";
}

/// Null stays null: a list of free JSON keeps it.
impl Element for Json {
    const TYPE: &'static str = "$JSON";
}

impl Member for Str {
    fn read<'v>(&mut self, decoder: &mut Decoder<'v>, ty: &str, value: Value<'v>) -> Result<(), Fault> {
        match value {
            Value::Null => {}
            Value::Str(text) => *self = text.into(),
            other => decoder.mismatch(other.go_json_name(), ty),
        }
        Ok(())
    }

    fn value<'a>(&'a self, _: &Making<'a>) -> Value<'a> {
        Value::Str(self)
    }

    fn is_empty(&self) -> bool {
        str::is_empty(self)
    }
}

impl Member for Option<Str> {
    fn read<'v>(&mut self, decoder: &mut Decoder<'v>, ty: &str, value: Value<'v>) -> Result<(), Fault> {
        *self = match value {
            Value::Str(text) if ty == TIME => Some(timestamp(text)?),
            Value::Null => None,
            // The type decodes itself, as a string first.
            other if ty == TIME => return Err(decoder.type_fault(other.go_json_name(), "string")),
            _ => read_pointer(decoder, ty, value)?,
        };
        Ok(())
    }

    fn value<'a>(&'a self, _: &Making<'a>) -> Value<'a> {
        self.as_deref().map_or(Value::Null, Value::Str)
    }

    fn is_empty(&self) -> bool {
        self.is_none()
    }
}

/// The time in UTC to the second, which is how the API writes it.
fn timestamp(text: &str) -> Result<Str, Fault> {
    match Time::parse(Layout::Rfc3339, text) {
        Ok(time) => Ok(time.utc().format(Layout::Rfc3339).into()),
        Err(error) => Err(Fault::Text(error.to_string())),
    }
}

impl Member for bool {
    fn read<'v>(&mut self, decoder: &mut Decoder<'v>, ty: &str, value: Value<'v>) -> Result<(), Fault> {
        match value {
            Value::Null => {}
            Value::Bool(truth) => *self = truth,
            other => decoder.mismatch(other.go_json_name(), ty),
        }
        Ok(())
    }

    fn value<'a>(&'a self, _: &Making<'a>) -> Value<'a> {
        Value::Bool(*self)
    }

    fn is_empty(&self) -> bool {
        !*self
    }
}

/// A number that fits the type; otherwise reports an error.
fn integer<T: TryFrom<i64>>(decoder: &mut Decoder<'_>, ty: &str, value: Value<'_>) -> Option<T> {
    let fits = match value {
        Value::Int(number) => T::try_from(number).ok(),
        // Typed decoding keeps the sign of -0, which integers read as zero.
        Value::Float(number) if number == 0.0 && number.is_sign_negative() => T::try_from(0).ok(),
        _ => None,
    };
    if fits.is_none() && !value.is_null() {
        decoder.mismatch(number_kind(value), ty);
    }
    fits
}

/// Errors show the digits of a number that does not fit.
fn number_kind(value: Value<'_>) -> String {
    match value {
        Value::Float(number) if number.fract() == 0.0 && number.abs() < 1e15 => format!("number {number:.1}"),
        Value::Int(_) | Value::Uint(_) | Value::Float(_) => {
            format!("number {}", kindsmith_json::to_string(value))
        }
        other => other.go_json_name().into(),
    }
}

macro_rules! integers {
    ($($ty:ty),*) => {$(
        impl Member for $ty {
            fn read<'v>(&mut self, decoder: &mut Decoder<'v>, ty: &str, value: Value<'v>) -> Result<(), Fault> {
                *self = integer(decoder, ty, value).unwrap_or(*self);
                Ok(())
            }

            fn value<'a>(&'a self, _: &Making<'a>) -> Value<'a> {
                Value::Int((*self).into())
            }

            fn is_empty(&self) -> bool {
                *self == 0
            }
        }
    )*};
}
integers!(i32, i64);

impl Member for f64 {
    fn read<'v>(&mut self, decoder: &mut Decoder<'v>, ty: &str, value: Value<'v>) -> Result<(), Fault> {
        match value.as_f64() {
            Some(number) => *self = number,
            None if value.is_null() => {}
            None => decoder.mismatch(value.go_json_name(), ty),
        }
        Ok(())
    }

    fn value<'a>(&'a self, _: &Making<'a>) -> Value<'a> {
        Value::Float(*self)
    }

    fn is_empty(&self) -> bool {
        *self == 0.0
    }
}

macro_rules! pointers {
    ($($ty:ty),*) => {$(
        impl Member for Option<$ty> {
            fn read<'v>(&mut self, decoder: &mut Decoder<'v>, ty: &str, value: Value<'v>) -> Result<(), Fault> {
                *self = read_pointer(decoder, ty, value)?;
                Ok(())
            }

            fn value<'a>(&'a self, to: &Making<'a>) -> Value<'a> {
                self.as_ref().map_or(Value::Null, |pointee| pointee.value(to))
            }

            fn is_empty(&self) -> bool {
                self.is_none()
            }
        }
    )*};
}
pointers!(bool, i32, i64, f64);

impl Member for Vec<u8> {
    fn read<'v>(&mut self, decoder: &mut Decoder<'v>, ty: &str, value: Value<'v>) -> Result<(), Fault> {
        match value {
            Value::Null => self.clear(),
            Value::Str(text) => match base64::decode(text.as_bytes()) {
                Ok(bytes) => *self = bytes,
                Err(error) => decoder.save(Fault::Text(error.to_string())),
            },
            Value::Array(items) => {
                let byte = |decoder: &mut Decoder<'_>, item| integer(decoder, "uint8", item).unwrap_or(0);
                *self = items.iter().map(|&item| byte(decoder, item)).collect();
            }
            other => decoder.mismatch(other.go_json_name(), ty),
        }
        Ok(())
    }

    fn value<'a>(&'a self, to: &Making<'a>) -> Value<'a> {
        if self.is_empty() {
            return Value::Null;
        }
        Value::Str(to.arena.alloc_str(&base64::encode(self)))
    }

    fn is_empty(&self) -> bool {
        Vec::is_empty(self)
    }
}

/// Free JSON, and metadata, which is decoded elsewhere.
impl Member for Json {
    fn read<'v>(&mut self, decoder: &mut Decoder<'v>, ty: &str, value: Value<'v>) -> Result<(), Fault> {
        if ty != OBJECT_META {
            *self = Json::exact(value);
            return Ok(());
        }
        match value {
            Value::Null => {}
            Value::Object(_) => *self = Json::exact(value),
            other => decoder.mismatch(other.go_json_name(), ty),
        }
        Ok(())
    }

    /// Go holds objects as maps and writes them by key.
    fn value<'a>(&'a self, to: &Making<'a>) -> Value<'a> {
        let value = Json::value(self, to.arena);
        if !self.as_str().contains('{') {
            return value;
        }
        let sorted = Format::default().order(Order::Sorted).floats(Floats::Marked);
        let text = to.arena.alloc_str(&sorted.to_string(value));
        kindsmith_json::parse_str(to.arena, text).unwrap_or(value)
    }

    fn is_empty(&self) -> bool {
        false
    }
}

/// The Go type of metadata, of either API version.
const OBJECT_META: &str = "v1.ObjectMeta";

impl Member for Option<Json> {
    fn read<'v>(&mut self, _: &mut Decoder<'v>, _: &str, value: Value<'v>) -> Result<(), Fault> {
        *self = (!value.is_null()).then(|| Json::exact(value));
        Ok(())
    }

    fn value<'a>(&'a self, to: &Making<'a>) -> Value<'a> {
        self.as_ref().map_or(Value::Null, |json| Member::value(json, to))
    }

    fn is_empty(&self) -> bool {
        self.is_none()
    }
}
