//! Objects that cannot be read any more: who may, deletes them unseen (`corruptObjectDeleter` in apiserver's
//! pkg/registry/generic/registry/corrupt_obj_deleter.go).

use kindsmith_json::Arena;
use kindsmith_request::Status;
use kindsmith_store::{Entry, Error};

use crate::Unreadable;
use crate::access::Attributes;
use crate::context::Call;
use crate::stored::{self, Freshness};
use crate::unreadable::decodable;

/// The verb that must be allowed too (`authorizeUnsafeDelete` in apiserver's pkg/endpoints/handlers/delete.go).
const VERB: &str = "unsafe-delete-ignore-read-errors";

/// Deletes an object that cannot be read.
pub(super) fn delete(call: &Call<'_>, name: &str, is_dry_run: bool) -> Result<(), Status> {
    let annotation = "apiserver.k8s.io/unsafe-delete-ignore-read-error";
    call.annotate(annotation.to_owned(), String::new());
    authorize(call, name)?;
    let key = call.key_of(name)?;
    let mut current = call.store.get(key.as_bytes(), None).map_err(stored::failure)?;
    loop {
        let entry = current.ok_or_else(|| call.not_found())?;
        check(call, name, &entry)?;
        if is_dry_run {
            return Ok(());
        }
        match call.store.delete(key.as_bytes(), entry.modified) {
            Ok(_) => return Ok(()),
            Err(Error::Conflict(now)) => current = now,
            Err(error) => return Err(stored::failure(error)),
        }
    }
}

fn authorize(call: &Call<'_>, name: &str) -> Result<(), Status> {
    let wanted = Attributes {
        verb: VERB,
        ..Attributes::of(call.request.user, call.info)
    };
    let decision = call.core.access.authorize(&wanted).map_err(stored::failure)?;
    if decision.is_allowed {
        return Ok(());
    }
    let why = format!("not permitted to do \"{VERB}\", reason: {}", decision.reason);
    Err(Status::forbidden(
        &call.served.group,
        &call.served.plural,
        name,
        &why,
    ))
}

/// Refuses an object that can be read.
fn check(call: &Call<'_>, name: &str, entry: &Entry) -> Result<(), Status> {
    match stored::read_as(&Arena::new(), call.served, entry, Freshness::Asked) {
        Err(Unreadable::Corrupt(_)) => Ok(()),
        Err(Unreadable::Status(status)) => Err(status),
        Ok(_) => Err(Status::conflict(
            &call.served.group,
            &call.served.plural,
            name,
            &decodable(entry),
        )),
    }
}
