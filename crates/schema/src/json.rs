//! JSON values inside a schema: kept as canonical text, so that they are cheap to compare and share.

use std::fmt;

use kindsmith_json::read::{self, BigIntegers, Options};
use kindsmith_json::write::{Floats, Format};
use kindsmith_json::{Arena, ReadError, Value};

use crate::Str;

/// A JSON value as compact text. Member order is kept, insignificant white space is dropped.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Json(Str);

/// A scalar in a tag's argument or value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Literal {
    /// Text.
    Str(Str),
    /// An integer.
    Int(i64),
    /// A boolean.
    Bool(bool),
}

impl Json {
    /// Reads JSON text; errors have the words of Go's `encoding/json`.
    ///
    /// # Errors
    /// When the text is not one JSON value.
    pub fn parse(text: &str) -> Result<Self, ReadError> {
        let arena = Arena::new();
        read_exactly(&arena, text).map(Self::from)
    }

    /// The value, in an arena.
    #[must_use]
    pub fn value<'a>(&self, arena: &'a Arena) -> Value<'a> {
        read_exactly(arena, arena.alloc_str(&self.0)).expect("the text was made by the JSON writer")
    }

    /// A value whose floats stay floats: `1.0` is not `1`.
    #[must_use]
    pub fn exact(value: Value<'_>) -> Self {
        let format = Format::default().floats(Floats::Marked);
        Self(format.to_string(value).into())
    }

    /// A number without a fraction.
    #[must_use]
    pub fn int(value: i128) -> Self {
        Self(value.to_string().into())
    }

    /// The value with this text, which another one had.
    pub(crate) fn canonical(text: &str) -> Self {
        Self(text.into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn read_exactly<'a>(arena: &'a Arena, text: &'a str) -> Result<Value<'a>, ReadError> {
    let options = Options::default().big_integers(BigIntegers::Exact);
    read::read(arena, text.as_bytes(), options).map(|read| read.value)
}

impl Default for Json {
    /// `null`.
    fn default() -> Self {
        Self("null".into())
    }
}

impl From<Value<'_>> for Json {
    fn from(value: Value<'_>) -> Self {
        Self(kindsmith_json::to_string(value).into())
    }
}

impl From<&str> for Json {
    /// Text as a JSON string.
    fn from(text: &str) -> Self {
        Self::from(Value::from(text))
    }
}

impl From<f64> for Json {
    /// A finite number; others have no JSON form and become `null`.
    fn from(value: f64) -> Self {
        Self::from(if value.is_finite() {
            Value::Float(value)
        } else {
            Value::Null
        })
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Self(if value { "true".into() } else { "false".into() })
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Str(text) => write!(f, "{text:?}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Bool(value) => write!(f, "{value}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, compact: &str) {
        assert_eq!(
            Json::parse(text).map(|json| json.to_string()),
            Ok(compact.to_owned())
        );
    }

    #[test]
    fn white_space_does_not_count() {
        check(
            r#" { "b" : [ 1, 2.5 ] , "a" : null } "#,
            r#"{"b":[1,2.5],"a":null}"#,
        );
        assert_eq!(Json::parse("[ ]"), Json::parse("[]"));
    }

    #[test]
    fn large_integers_keep_their_digits() {
        check("9223372036854775807", "9223372036854775807");
        check("18446744073709551615", "18446744073709551615");
    }

    #[test]
    fn exact_values_tell_floats_from_integers() {
        let arena = Arena::new();
        let value = kindsmith_json::parse_str(&arena, "[1.0,1,1e3,1.5,-0.0,1e300]").expect("it is JSON");
        let json = Json::exact(value);
        assert_eq!(json.as_str(), "[1.0,1,1000.0,1.5,-0.0,1e+300]");
        assert_eq!(json.value(&arena), value);
    }

    #[test]
    fn values_round_trip() {
        let arena = Arena::new();
        assert_eq!(Json::from("a\"b").value(&arena).as_str(), Some("a\"b"));
        assert_eq!(Json::from(true).value(&arena).as_bool(), Some(true));
    }

    #[test]
    fn bad_text_is_rejected_with_gos_messages() {
        let error = Json::parse("oak").expect_err("not JSON");
        assert_eq!(
            error.to_string(),
            "invalid character 'o' looking for beginning of value"
        );
    }
}
