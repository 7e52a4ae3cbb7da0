//! `PUT` (`UpdateResource` in apiserver's pkg/endpoints/handlers/update.go).

use kindsmith_request::Status;

use super::create::Sent;
use crate::context::Call;
use crate::request::body;
use crate::request::body::Input;
use crate::request::write_options::{Kind, WriteOptions};
use crate::response::status_response;
use crate::{Response, write};

/// Updates an object, or a subresource that takes the whole object.
pub(crate) fn update(call: &Call<'_>) -> Result<Response, Status> {
    if call.info.path_name().is_empty() {
        return Err(Status::bad_request("name must be provided"));
    }
    let accepted = status_response::accepted(call)?;
    body::check_size(call.request)?;
    let options = WriteOptions::read(call.request, call.query, Kind::Update)?;
    let sent = Sent {
        resource: &*call.served.resource,
        body: Input::read(call.request)?,
    };
    let done = write::update(call, &options, &sent, |settled| {
        Ok(status_response::settled(call, accepted, 200, settled))
    })?;
    let mut response = done.answer;
    if done.is_created {
        response.status = 201;
    }
    Ok(response)
}
