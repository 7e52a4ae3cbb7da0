//! Why a checked expression has no program.

use std::fmt;

/// Why a checked expression has no program. `Display` is cel-go's text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanError {
    /// A part that could not be parsed.
    Unsupported,
    /// A literal of a message type that nobody has.
    UnknownType(String),
    /// A function without an overload for the call; the name may be missing.
    NoOverload(&'static str),
    /// A function that nobody has.
    NoFunction(String),
    /// A constant of this Go type cannot be an index.
    Qualifier(&'static str),
    /// A constant has no value.
    Constant(String),
    /// A constant is a map with a key of bytes.
    Unhashable,
    /// A constant pattern is not a regular expression.
    Pattern(String),
}

impl fmt::Display for PlanError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported => out.write_str("unsupported expr"),
            Self::UnknownType(name) => write!(out, "reference to undefined type: {name}"),
            Self::NoOverload("") => out.write_str("no such overload"),
            Self::NoOverload(name) => write!(out, "no such overload: {name}"),
            Self::NoFunction(name) => write!(out, "no such overload: {name}"),
            Self::Qualifier(ty) => write!(out, "invalid qualifier type: {ty}"),
            Self::Constant(why) | Self::Pattern(why) => out.write_str(why),
            Self::Unhashable => out.write_str("runtime error: hash of unhashable type types.Bytes"),
        }
    }
}

impl std::error::Error for PlanError {}

impl From<PlanError> for String {
    fn from(error: PlanError) -> Self {
        error.to_string()
    }
}
