//! `GET` (watch).

use kindsmith_wire::Status;

use super::Call;
use crate::Response;

/// Interim.
pub(crate) fn watch(call: &Call<'_>) -> Result<Response, Status> {
    let _ = call;
    Err(Status::internal("not served yet"))
}
