//! Patches that apply to the current object: JSON patch, merge patch, strategic merge patch.
//!
//! Each is read once ([`JsonPatch::read`]) and may be applied to several states of the object, as happens when another
//! write comes first. Messages and quirks are those of the API server and the libraries behind it.

mod error;
mod json;
mod merge;
mod strategic;

pub use error::PatchError;
pub use json::{JsonPatch, JsonPatchFailure, JsonPatchSyntax};
pub use merge::MergePatch;
pub use strategic::StrategicPatch;

use kindsmith_json::{Arena, Options, Value, read};

/// Reads the document of a patch.
fn document<'a>(arena: &'a Arena, bytes: &'a [u8]) -> Result<read::Read<'a>, PatchError> {
    read::read(arena, bytes, Options::default()).map_err(|error| PatchError::Unreadable(error.to_string()))
}

/// Rejects what is not JSON.
///
/// # Errors
///
/// [`PatchError::Unreadable`].
pub fn check_document(arena: &Arena, bytes: &[u8]) -> Result<(), PatchError> {
    read::read(arena, bytes, Options::default())
        .map(drop)
        .map_err(|error| PatchError::Unreadable(error.to_string()))
}

/// Rejects a patch that is not an object.
fn expect_object(value: Value<'_>) -> Result<(), PatchError> {
    match value {
        Value::Object(_) | Value::Null => Ok(()),
        other => Err(PatchError::BadRequest(format!(
            "error decoding patch: {}",
            unfit(other)
        ))),
    }
}

/// The error of Go's decoder for a document that is not an object.
fn unfit(value: Value<'_>) -> String {
    format!(
        "json: cannot unmarshal {} into Go value of type map[string]interface {{}}",
        value.go_json_name()
    )
}
