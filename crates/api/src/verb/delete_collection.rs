//! `DELETE` of many objects.

use kindsmith_wire::Status;

use super::Call;
use crate::Response;

/// Deletes all objects that a list would show.
pub(crate) fn delete_collection(call: &Call<'_>) -> Result<Response, Status> {
    let _ = call;
    Err(Status::internal("not served yet"))
}
