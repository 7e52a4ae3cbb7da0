//! What is wrong with a value, with structured-merge-diff's messages.

use std::fmt;

/// One error at one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaError {
    /// The field, as `.spec.ports[port=80]`; empty at the root.
    pub path: String,
    /// What is wrong.
    pub message: String,
}

/// All errors of a value; never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaErrors(pub Vec<SchemaError>);

impl fmt::Display for SchemaError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(out, "{}: ", self.path)?;
        }
        out.write_str(&self.message)
    }
}

impl fmt::Display for SchemaErrors {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [only] = &self.0[..] {
            return write!(out, "{only}");
        }
        out.write_str("errors:")?;
        self.0.iter().try_for_each(|error| write!(out, "\n  {error}"))
    }
}

impl std::error::Error for SchemaErrors {}
