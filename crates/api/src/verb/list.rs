//! `GET` (list).

use kindsmith_wire::Status;

use super::Call;
use crate::Response;

/// Interim.
pub(crate) fn list(call: &Call<'_>) -> Result<Response, Status> {
    let _ = call;
    Err(Status::internal("not served yet"))
}
