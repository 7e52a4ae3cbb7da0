//! Why published schemas cannot be read.

use std::fmt;

use kindsmith_schema::Str;

use crate::record::DecodeError;

/// Why a schema is not available.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PublishedError {
    /// The document has no schema of that name.
    Missing {
        /// The name.
        name: Str,
    },
    /// A schema does not decode.
    Schema {
        /// Its name.
        name: Str,
        /// What is wrong with it.
        error: DecodeError,
    },
    /// Resolving its references gives a schema that is too large.
    TooLarge {
        /// Its name.
        name: Str,
    },
}

impl fmt::Display for PublishedError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { name } => write!(out, "the document has no schema `{name}`"),
            Self::Schema { name, error } => write!(out, "schema `{name}`: {error}"),
            Self::TooLarge { name } => {
                write!(out, "schema `{name}` is too large with its references resolved")
            }
        }
    }
}

impl std::error::Error for PublishedError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Schema { error, .. } => Some(error),
            _ => None,
        }
    }
}
