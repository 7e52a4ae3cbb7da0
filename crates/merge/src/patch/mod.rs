//! Patches that are laid over an object as it is now: JSON patch, merge patch, strategic merge patch.
//!
//! Each is read once ([`JsonPatch::read`]) and may be laid over several states of the object, as happens when somebody
//! else was faster. Messages and quirks are those of the API server and the libraries behind it.

mod error;
mod json;
mod merge;
mod strategic;

pub use error::PatchError;
pub use json::JsonPatch;
pub use merge::MergePatch;
pub use strategic::StrategicPatch;

use kindsmith_json::{Arena, Options, Value, read};

/// Reads the document of a patch.
fn document<'a>(arena: &'a Arena, bytes: &'a [u8]) -> Result<read::Read<'a>, PatchError> {
    read::read(arena, bytes, Options::default())
        .map_err(|_| PatchError::BadRequest("invalid JSON patch".to_owned()))
}

/// What is wrong with a patch that is no object.
fn expect_object<'a>(value: Value<'a>) -> Result<(), PatchError> {
    match value {
        Value::Object(_) | Value::Null => Ok(()),
        other => Err(PatchError::BadRequest(format!(
            "error decoding patch: json: cannot unmarshal {} into Go value of type map[string]interface {{}}",
            other.go_json_name()
        ))),
    }
}
