//! `DELETE` of many objects (`DeleteCollection` in apiserver's pkg/endpoints/handlers/delete.go and
//! pkg/registry/generic/registry/store.go): lists the objects, deletes them one by one, and responds with the list.

use kindsmith_json::{Arena, Value};
use kindsmith_request::Status;

use super::delete::{Asked, remove, warn};
use super::{Call, list};
use crate::read::list_options::ListOptions;
use crate::request::delete_options::DeleteOptions;
use crate::response::status_response;
use crate::{Response, stored};

/// Deletes all objects that a list would show.
pub(crate) fn delete_collection(call: &Call<'_>) -> Result<Response, Status> {
    status_response::accepted(call)?;
    let listing = ListOptions::decode(call)?;
    let release = call.served.resource.release();
    let options = DeleteOptions::read(call.request, call.query, release)?;
    options.check_many()?;
    warn(call, &options);
    let mut names: Vec<String> = Vec::new();
    list::each(call, &listing, &mut |_, object: Value<'_>| {
        names.push(stored::name(object).to_owned());
    })?;
    let response = list::list(call)?;
    let mut arena = Arena::new();
    for name in names {
        arena.reset();
        match remove(call, &arena, &name, &options, Asked::ForMany) {
            Ok(_) => call.wrote(options.is_dry_run, &name, None),
            // Already deleted by somebody else.
            Err(status) if status.code == 404 => {}
            Err(status) => return Err(status),
        }
    }
    Ok(response)
}
