//! `GET` of many objects with `watch` (`handleWatch` in apiserver's pkg/endpoints/handlers/get.go, `Cacher.Watch` in
//! pkg/storage/cacher).

use kindsmith_request::Status;

use super::{Call, list};
use crate::read::list_options::{ListOptions, parse_version, too_large};
use crate::response::negotiate::{Encoding, Shape, check_stream};
use crate::response::status_response;
use crate::response::table::Include;
use crate::watch::{Encoder, Form, Initial, WatchStream, failure};
use crate::{Content, Response, stored};

/// Responds with a watch. Once the request is accepted, errors are sent as events.
///
/// # Errors
///
/// If the request is not accepted.
pub(crate) fn watch(call: &Call<'_>) -> Result<Response, Status> {
    let accepted = status_response::accepted(call)?;
    let options = ListOptions::decode(call)?;
    let revision = parse_version(&options.resource_version).map_err(Status::unforeseen)?;
    let include = match accepted.shape {
        Shape::Table(_) => Include::decode(call.query)?,
        _ => Include::None,
    };
    check_stream(accepted)?;
    let encoder = Encoder::new(
        call.served,
        Form { accepted, include },
        &call.core.events,
        &call.core.environment,
    );
    let stream = start(call, revision, options, encoder)?;
    let media_type = match accepted.encoding {
        Encoding::Protobuf => "application/vnd.kubernetes.protobuf;stream=watch",
        _ => "application/json",
    };
    Ok(Response {
        status: 200,
        headers: vec![("content-type", media_type.into())],
        content: Content::Watch(Box::new(stream)),
    })
}

fn start(
    call: &Call<'_>,
    revision: u64,
    options: ListOptions,
    encoder: Encoder,
) -> Result<WatchStream, Status> {
    let prefix = list::single(call, &options).unwrap_or_else(|| call.collection_prefix());
    let current = call.store.revision().map_err(stored::failure)?;
    let wants_initial = options.send_initial_events.unwrap_or(revision == 0);
    if wants_initial && revision > current {
        return Ok(WatchStream::failed(
            too_large(revision, current, 1),
            options,
            encoder,
        ));
    }
    if wants_initial {
        let bookmark = options.send_initial_events == Some(true) && options.allow_watch_bookmarks;
        let initial = Initial::new(&call.core.store, prefix, bookmark).map_err(stored::failure)?;
        return Ok(WatchStream::with_initial(initial, options, encoder));
    }
    // A watch from a future version waits for it; without a version it starts at the newest.
    let from = if revision == 0 {
        current
    } else {
        revision.min(current)
    };
    Ok(match call.store.watch(prefix.as_bytes(), from) {
        Ok(store) => WatchStream::after(revision, store, options, encoder),
        Err(error) => WatchStream::failed(failure(error), options, encoder),
    })
}
