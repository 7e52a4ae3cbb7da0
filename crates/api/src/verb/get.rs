//! `GET` of one object (`GetResource` in apiserver's pkg/endpoints/handlers/get.go).

use kindsmith_json::Arena;
use kindsmith_request::Status;

use super::{Call, component_status};
use crate::read::list_options::{parse_version, too_large};
use crate::response::negotiate::{Encoding, Shape, negotiate};
use crate::response::render;
use crate::stored::Freshness;
use crate::verbatim::{Part, Verbatim};
use crate::{Content, Response, stored};

/// Responds with one object.
///
/// # Errors
///
/// If it does not exist, or not in the requested version or form.
pub(crate) fn get(call: &Call<'_>) -> Result<Response, Status> {
    let accepted = negotiate(call.request, call.query, render::endpoint_of(call))?;
    check_options(call)?;
    if !call.served.resource.is_stored() {
        let arena = Arena::new();
        let status = component_status::get(call, &arena)?;
        return render::object(call, accepted, 200, status);
    }
    let key = call.key_of(call.info.path_name())?;
    let entry = call.get(&key)?;
    let entry = entry.ok_or_else(|| call.not_found())?;
    let verbatim = Verbatim::of(call.served);
    let is_plain = accepted.shape == Shape::Plain && accepted.encoding != Encoding::Protobuf;
    let (is_text, arena) = (is_plain && render::is_compact(accepted), Arena::new());
    let copied = verbatim
        .as_ref()
        .and_then(|verbatim| verbatim.copied(call.served, &entry.value));
    if let Some(copied) = copied {
        if is_text {
            let mut out = Vec::new();
            copied.append(&mut out, entry.modified);
            return Ok(render::json_text(accepted, 200, out));
        }
        if let Some(object) = copied.object(&arena, Part::Whole, entry.modified) {
            return render::object(call, accepted, 200, object);
        }
    }
    // The reference answers who is content with something older from its watch cache.
    let freshness = match call.query.text("resourceVersion") {
        "" => Freshness::Asked,
        _ => Freshness::Kept,
    };
    let object = stored::read_as(&arena, call.served, &entry, freshness)
        .map_err(|error| error.of_read(call.served.resource.release(), &entry))?;
    let response = render::object(call, accepted, 200, object)?;
    if let (true, Some(verbatim), Content::Bytes(bytes)) = (is_text, verbatim, &response.content) {
        verbatim.learn(&entry, bytes.strip_suffix(b"\n").unwrap_or(bytes));
    }
    Ok(response)
}

/// Checks the parameters: the current state satisfies every resource version up to the current revision.
///
/// # Errors
///
/// If the resource version is malformed or in the future.
pub(crate) fn check_options(call: &Call<'_>) -> Result<(), Status> {
    if call.query.flag("export") {
        return Err(Status::bad_request(
            "the export parameter, deprecated since v1.14, is no longer supported",
        ));
    }
    let version = parse_version(call.query.text("resourceVersion")).map_err(|error| {
        // Events are read without a cache, whose errors are not dressed.
        if call.served.resource.is_cached() {
            Status::unforeseen(error)
        } else {
            Status::bad_request(format!("invalid resource version: {error}"))
        }
    })?;
    // With etcd, to know the current revision takes a round trip.
    if version <= call.store.seen() {
        return Ok(());
    }
    let current = call.revision()?;
    if version > current {
        let is_cached = call.served.resource.is_cached();
        return Err(too_large(version, current, u32::from(is_cached)));
    }
    Ok(())
}
