//! Values and the objects that they nest in. Knows no text: reading and writing are elsewhere.

mod object;

pub(crate) use object::SMALL;
pub use object::{Entry, Iter, Object};

use crate::path::{PathBuf, Step};

/// One JSON value.
///
/// Copying is shallow and costs 24 bytes; the contents are in the arena or in the text that was read. `==`
/// compares structure: objects regardless of key order, and an integer never equals a float.
#[derive(Clone, Copy, Default)]
pub enum Value<'a> {
    /// `null`.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer that fits signed 64 bits; Kubernetes' `int64`.
    Int(i64),
    /// An integer above `i64::MAX` that fits 64 bits, so that decoding into `uint64` is exact. Untyped
    /// Kubernetes data holds these as `float64`: see [`crate::read::BigIntegers`].
    Uint(u64),
    /// Every other number: with fraction, with exponent, or too large.
    Float(f64),
    /// A string.
    Str(&'a str),
    /// An array.
    Array(&'a [Value<'a>]),
    /// An object.
    Object(Object<'a>),
}

/// The kind of a value, with its JSON name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// Any number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Kind {
    /// Returns the JSON name: `null`, `boolean`, `number`, `string`, `array`, `object`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Null => "null",
            Kind::Bool => "boolean",
            Kind::Number => "number",
            Kind::String => "string",
            Kind::Array => "array",
            Kind::Object => "object",
        }
    }
}

impl<'a> Value<'a> {
    /// What Go's encoding/json calls the value in errors.
    #[must_use]
    pub fn go_json_name(self) -> &'static str {
        match self {
            Value::Bool(_) => "bool",
            other => other.kind().name(),
        }
    }

    /// The Go type of the value in an `interface{}`, as `%T` prints it.
    #[must_use]
    pub fn go_type(self) -> &'static str {
        match self {
            Value::Null => "<nil>",
            Value::Bool(_) => "bool",
            Value::Int(_) => "int64",
            Value::Uint(_) | Value::Float(_) => "float64",
            Value::Str(_) => "string",
            Value::Array(_) => "[]interface {}",
            Value::Object(_) => "map[string]interface {}",
        }
    }

    /// The kind of the value.
    #[must_use]
    pub fn kind(self) -> Kind {
        match self {
            Value::Null => Kind::Null,
            Value::Bool(_) => Kind::Bool,
            Value::Int(_) | Value::Uint(_) | Value::Float(_) => Kind::Number,
            Value::Str(_) => Kind::String,
            Value::Array(_) => Kind::Array,
            Value::Object(_) => Kind::Object,
        }
    }

    /// Is it `null`?
    #[must_use]
    #[inline]
    pub fn is_null(self) -> bool {
        matches!(self, Value::Null)
    }

    /// The boolean, if it is one.
    #[must_use]
    #[inline]
    pub fn as_bool(self) -> Option<bool> {
        match self {
            Value::Bool(truth) => Some(truth),
            _ => None,
        }
    }

    /// The integer, if it is one that fits `i64`. A float never counts, even `1.0`.
    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        match self {
            Value::Int(number) => Some(number),
            _ => None,
        }
    }

    /// The integer, if it is one that fits `u64`.
    #[must_use]
    pub fn as_u64(self) -> Option<u64> {
        match self {
            Value::Int(number) => u64::try_from(number).ok(),
            Value::Uint(number) => Some(number),
            _ => None,
        }
    }

    /// Any number, as the nearest `f64`.
    #[must_use]
    pub fn as_f64(self) -> Option<f64> {
        match self {
            Value::Int(number) => Some(number as f64),
            Value::Uint(number) => Some(number as f64),
            Value::Float(number) => Some(number),
            _ => None,
        }
    }

    /// The string, if it is one.
    #[must_use]
    #[inline]
    pub fn as_str(self) -> Option<&'a str> {
        match self {
            Value::Str(text) => Some(text),
            _ => None,
        }
    }

    /// The elements, if it is an array.
    #[must_use]
    #[inline]
    pub fn as_array(self) -> Option<&'a [Value<'a>]> {
        match self {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The object, if it is one.
    #[must_use]
    #[inline]
    pub fn as_object(self) -> Option<Object<'a>> {
        match self {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The value under `key`, if this is an object that has it.
    #[must_use]
    #[inline]
    pub fn get(self, key: &str) -> Option<Value<'a>> {
        self.as_object()?.get(key)
    }

    /// The element at `index`, if this is an array that long.
    #[must_use]
    pub fn at(self, index: usize) -> Option<Value<'a>> {
        self.as_array()?.get(index).copied()
    }

    /// Follows object keys down from here: `value.lookup(&["metadata", "name"])`.
    #[must_use]
    pub fn lookup(self, keys: &[&str]) -> Option<Value<'a>> {
        keys.iter().try_fold(self, |value, key| value.get(key))
    }

    /// The value one step down.
    #[must_use]
    pub fn step(self, step: &Step) -> Option<Value<'a>> {
        match step {
            Step::Index(index) => self.at(*index),
            Step::Field(name) | Step::Key(name) => self.get(name),
        }
    }

    /// Follows a path down from here.
    ///
    /// ```
    /// # use kindsmith_json::path::{PathBuf, Step};
    /// # use kindsmith_json::{Arena, parse_str};
    /// let arena = Arena::new();
    /// let value = parse_str(&arena, r#"{"ports": [80, 443]}"#)?;
    /// let path: PathBuf = [Step::Field("ports".into()), Step::Index(1)].into_iter().collect();
    /// assert_eq!(value.follow(&path).and_then(|port| port.as_f64()), Some(443.0));
    /// # Ok::<(), kindsmith_json::ReadError>(())
    /// ```
    #[must_use]
    pub fn follow(self, path: &PathBuf) -> Option<Value<'a>> {
        path.steps().iter().try_fold(self, Value::step)
    }
}

impl From<bool> for Value<'_> {
    fn from(truth: bool) -> Self {
        Value::Bool(truth)
    }
}

impl From<i64> for Value<'_> {
    fn from(number: i64) -> Self {
        Value::Int(number)
    }
}

impl From<i32> for Value<'_> {
    fn from(number: i32) -> Self {
        Value::Int(number.into())
    }
}

impl From<u64> for Value<'_> {
    fn from(number: u64) -> Self {
        i64::try_from(number).map_or(Value::Uint(number), Value::Int)
    }
}

impl From<f64> for Value<'_> {
    fn from(number: f64) -> Self {
        Value::Float(number)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Value::Str(text)
    }
}

impl<'a> From<&'a [Value<'a>]> for Value<'a> {
    fn from(items: &'a [Value<'a>]) -> Self {
        Value::Array(items)
    }
}

impl<'a> From<Object<'a>> for Value<'a> {
    fn from(object: Object<'a>) -> Self {
        Value::Object(object)
    }
}

const _: () = assert!(
    size_of::<Value<'_>>() <= 24,
    "values are copied everywhere: keep them small"
);
