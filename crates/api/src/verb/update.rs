//! `PUT` (`UpdateResource` in apiserver's pkg/endpoints/handlers/update.go).

use kindsmith_request::Status;

use super::Call;
use super::create::Sent;
use crate::input::Input;
use crate::options::{Kind, WriteOptions};
use crate::{Response, input, reply, write};

/// Writes another state of an object, or of a part of it that takes the whole object.
pub(crate) fn update(call: &Call<'_>) -> Result<Response, Status> {
    if call.info.path_name().is_empty() {
        return Err(Status::bad_request("name must be provided"));
    }
    let accepted = reply::accepted(call)?;
    input::check_size(call.request)?;
    let options = WriteOptions::read(call.request, call.query, Kind::Update)?;
    let sent = Sent {
        resource: &*call.served.resource,
        body: Input::read(call.request)?,
    };
    let done = write::update(call, &options, &sent, |_, object| {
        Ok(reply::object(call, accepted, 200, object))
    })?;
    let mut response = done.answer;
    if done.is_created {
        response.status = 201;
    }
    Ok(response)
}
