//! JSON values inside a schema: kept as canonical text, so that comparing and sharing them costs nothing.

use std::fmt;

use crate::Str;

/// A JSON value as compact text. Member order is kept, insignificant white space is not.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Json(Str);

/// A scalar written as a tag argument or value.
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
    /// Wraps text that a JSON writer has made: valid and compact.
    pub fn from_compact(text: impl Into<Str>) -> Self {
        Self(text.into())
    }

    /// A number without fraction.
    #[must_use]
    pub fn int(value: i128) -> Self {
        Self(value.to_string().into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
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
