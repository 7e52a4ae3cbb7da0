//! Why metadata cannot be decoded, with the messages of Go's JSON decoder.

use std::borrow::Cow;
use std::fmt;

use kindsmith_gostd::time::ParseTimeError;

/// Why metadata cannot be decoded.
///
/// `Display` is the text of Go's `json.UnmarshalTypeError` or `time.ParseError`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// A value of the wrong JSON type.
    Type {
        /// What was found: `string`, `number`, `number 1.5`, `bool`, `array`, `object`.
        found: Cow<'static, str>,
        /// The Go struct and the path of the field; `None` for the metadata itself.
        field: Option<(&'static str, Cow<'static, str>)>,
        /// The Go type that was expected.
        expected: &'static str,
    },
    /// A string that is not a time.
    Time(ParseTimeError),
    /// Metadata that is not an object, where single malformed fields are tolerated.
    NotAnObject {
        /// The Go type of what was found.
        found: &'static str,
    },
}

impl fmt::Display for DecodeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type {
                found,
                field: Some((owner, path)),
                expected,
            } => write!(
                out,
                "json: cannot unmarshal {found} into Go struct field {owner}.{path} of type {expected}"
            ),
            Self::Type { found, expected, .. } => {
                write!(
                    out,
                    "json: cannot unmarshal {found} into Go value of type {expected}"
                )
            }
            Self::Time(error) => write!(out, "{error}"),
            Self::NotAnObject { found } => write!(out, "invalid metadata: expected object, got {found}"),
        }
    }
}

impl std::error::Error for DecodeError {}
