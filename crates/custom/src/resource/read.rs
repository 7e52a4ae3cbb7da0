//! Objects out of storage, as every get, list, watch and answer to a write shows them.

use std::fmt;

use kindsmith_json::{Arena, Value};

use super::Resource;
use super::apply::Reason;

/// Why a stored object cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError(String);

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for ReadError {}

impl Resource {
    /// Reads a stored object in a version.
    ///
    /// The schema of the version it is stored in prunes and defaults it, malformed metadata is dropped; then it
    /// changes versions, and the schema of that version prunes it again without defaulting it.
    ///
    /// # Errors
    ///
    /// If the stored value is no object of a kind, or its metadata no object, or the schema cannot be served.
    pub fn read<'a>(
        &'a self,
        arena: &'a Arena,
        stored: Value<'a>,
        version: &str,
    ) -> Result<Value<'a>, ReadError> {
        let Value::Object(object) = stored else {
            return Err(ReadError("the stored value is no object".to_owned()));
        };
        if self
            .version(version)
            .is_some_and(|version| !self.is_servable(version))
        {
            return Err(ReadError("error resolving resource".to_owned()));
        }
        let (mut item, _) = self.apply(arena, object, Reason::Storage).map_err(ReadError)?;
        self.default_item(arena, &mut item);
        let item = self.convert(arena, item.object, version).map_err(ReadError)?;
        Ok(Value::Object(item.object))
    }
}
