//! `GET` of one object.

use kindsmith_json::Arena;
use kindsmith_wire::Status;

use super::Call;
use crate::{Response, reply, stored};

/// Answers the object of the path.
pub(crate) fn get(call: &Call<'_>) -> Result<Response, Status> {
    let accepted = reply::accepted(call)?;
    let key = call.key_of(call.info.path_name())?;
    let entry = call.store.get(key.as_bytes(), None).map_err(stored::failure)?;
    let entry = entry.ok_or_else(|| call.not_found())?;
    let arena = Arena::new();
    let object = stored::read(&arena, call.served, &entry)?;
    Ok(reply::object(call, accepted, 200, object))
}
