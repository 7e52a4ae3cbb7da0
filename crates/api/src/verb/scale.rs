//! The subresource `scale`: `GET`, `PUT`, and the object that a patch starts from.

use kindsmith_builtin::find_own;
use kindsmith_json::Arena;
use kindsmith_object::Release;
use kindsmith_request::{Admission, Outcome, Status, Write};

use crate::context::Call;
use crate::request::body;
use crate::request::body::Input;
use crate::request::write_options::{Kind, WriteOptions};
use crate::resource::ScaleChange;
use crate::response::status_response;
use crate::write::{Change, Creation};
use crate::{Resource, Response, stored, write};

/// Responds with the scale of an object.
pub(crate) fn get(call: &Call<'_>) -> Result<Response, Status> {
    let accepted = status_response::accepted(call)?;
    super::get::check_options(call)?;
    let key = call.key_of(call.info.path_name())?;
    let entry = call.store.get(key.as_bytes(), None).map_err(stored::failure)?;
    let entry = entry.ok_or_else(|| call.not_found())?;
    let arena = Arena::new();
    let object = stored::read(&arena, call.served, &entry)?;
    let scale = call.served.resource.scale(&arena, &call.served.version, object)?;
    Ok(status_response::object(call, accepted, 200, scale))
}

/// Sets the scale of an object.
pub(crate) fn update(call: &Call<'_>) -> Result<Response, Status> {
    let accepted = status_response::accepted(call)?;
    body::check_size(call.request)?;
    let options = WriteOptions::read(call.request, call.query, Kind::Update)?;
    let change = SentScale {
        resource: &*call.served.resource,
        body: Input::read(call.request)?,
    };
    let done = write::update(call, &options, &change, |settled| {
        Ok(status_response::settled(call, accepted, 200, settled))
    })?;
    Ok(done.answer)
}

/// A `Scale` sent as the request body.
struct SentScale<'r> {
    resource: &'r dyn Resource,
    body: Input<'r>,
}

impl Change for SentScale<'_> {
    fn make<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        admission: &mut dyn Admission<'a>,
    ) -> Outcome<'a> {
        let scale = find_own(Release::NEWEST, "autoscaling", "v1", "Scale");
        let body = self.body.json(|bytes| match scale {
            Some(kind) => kind.json_body(arena, bytes),
            None => Err(Status::internal("no kind Scale")),
        });
        match body {
            Ok(body) => {
                let change = ScaleChange::Body(body);
                self.resource.write_scale(arena, write, change, admission)
            }
            Err(status) => status.into(),
        }
    }

    /// The body is decoded first, so what is wrong with it is said even if the object is missing.
    fn creation(&self) -> Creation {
        Creation::ByKind
    }
}
