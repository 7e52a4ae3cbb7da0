//! `POST` (`createHandler` in apiserver's pkg/endpoints/handlers/create.go).

use kindsmith_json::Arena;
use kindsmith_wire::{Admission, Outcome, Status, Write};

use super::Call;
use crate::input::Input;
use crate::options::{Kind, WriteOptions};
use crate::write::{Change, Creation};
use crate::{Resource, Response, input, reply, write};

/// An object that a request sends whole.
pub(crate) struct Sent<'r> {
    pub(crate) resource: &'r dyn Resource,
    pub(crate) body: Input<'r>,
}

impl Change for Sent<'_> {
    fn make<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        admission: &mut dyn Admission<'a>,
    ) -> Outcome<'a> {
        match self.body.json(|bytes| self.resource.json_body(arena, bytes)) {
            Ok(body) => self.resource.write(arena, write, body, admission),
            Err(status) => Outcome {
                result: Err(status),
                warnings: Vec::new(),
            },
        }
    }

    fn creation(&self) -> Creation {
        Creation::ByKind
    }
}

/// Creates an object.
pub(crate) fn create(call: &Call<'_>) -> Result<Response, Status> {
    let accepted = reply::accepted(call)?;
    let body = Input::read(call.request)?;
    input::check_size(call.request)?;
    let options = WriteOptions::read(call.request, call.query, Kind::Create)?;
    let sent = Sent {
        resource: &*call.served.resource,
        body,
    };
    write::create(call, &options, &sent, |_, object| {
        Ok(reply::object(call, accepted, 201, object))
    })
}
