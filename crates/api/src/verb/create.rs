//! `POST` (`createHandler` in apiserver's pkg/endpoints/handlers/create.go).

use kindsmith_json::Arena;
use kindsmith_request::{Admission, Operation, Outcome, Status, Write};

use crate::access::{self, Asker};
use crate::context::Call;
use crate::request::body;
use crate::request::body::Input;
use crate::request::write_options::{Kind, WriteOptions};
use crate::response::negotiate::Accepted;
use crate::response::status_response;
use crate::write::admit::Admit;
use crate::write::{Change, Creation};
use crate::{Resource, Response, environment, write};

/// An object sent as the request body.
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
            Ok(body) => self.resource.write(arena, write, body.into(), admission),
            Err(status) => status.into(),
        }
    }

    fn creation(&self) -> Creation {
        Creation::ByKind
    }
}

/// Creates an object.
pub(crate) fn create(call: &Call<'_>) -> Result<Response, Status> {
    let accepted = status_response::accepted(call)?;
    let body = Input::read(call.request)?;
    body::check_size(call.request)?;
    let options = WriteOptions::read(call.request, call.query, Kind::Create)?;
    if !call.served.resource.is_stored() {
        return answer_review(call, &options, body, accepted);
    }
    let sent = Sent {
        resource: &*call.served.resource,
        body,
    };
    write::create(call, &options, &sent, |settled| {
        Ok(status_response::settled(call, accepted, 201, settled))
    })
}

/// Answers a review, which is not stored.
fn answer_review(
    call: &Call<'_>,
    options: &WriteOptions,
    body: Input<'_>,
    accepted: Accepted,
) -> Result<Response, Status> {
    let arena = Arena::new();
    let resource = &*call.served.resource;
    let kind = resource.built_in().ok_or_else(|| call.not_found())?;
    let body = body.json(|bytes| resource.json_body(&arena, bytes))?;
    let now = environment::now(call.environment);
    let asker = Asker {
        release: call.core.release,
        access: &call.core.access,
        user: call.request.user,
        namespace: call.namespace(),
        now: &now,
        authenticator: call.core.tokens.authenticator.as_deref(),
        accounts: call.core.tokens(),
    };
    let write = Write {
        version: &call.served.version,
        operation: Operation::Create,
        namespace: call.namespace(),
        name: "",
        field_validation: options.field_validation,
        is_dry_run: options.is_dry_run,
        stamp: environment::stamp(&arena, call.environment),
    };
    let mut admission = Admit::new(call, Some(&options.manager), &arena, &write);
    let (answer, warnings) = access::review(&arena, kind, &asker, body, &write, &mut admission);
    call.warn(warnings);
    Ok(status_response::object(call, accepted, 201, answer?))
}
