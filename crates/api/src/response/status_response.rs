//! Responses: objects, `Status`, plain text, and warnings with any of them.

use kindsmith_gostd::quote::quote;
use kindsmith_json::{Arena, Entry, Object, Value};
use kindsmith_request::{Status, sent_warnings};

use crate::context::Call;
use crate::response::negotiate::{self, Accepted, Encoding, Shape};
use crate::response::render;
use crate::verbatim::{Settled, Verbatim};
use crate::{Content, Request, Response};

/// The negotiated form of the response.
pub(crate) fn accepted(call: &Call<'_>) -> Result<Accepted, Status> {
    negotiate::negotiate(call.request, call.query, render::endpoint_of(call))
}

/// Responds with an object of a resource in the negotiated form, or with an error if the form is not available.
pub(crate) fn object(call: &Call<'_>, accepted: Accepted, code: u16, object: Value<'_>) -> Response {
    render::object(call, accepted, code, object)
        .unwrap_or_else(|status| negotiate::error(call.request, call.query, &status))
}

/// Responds with an object that was written: with a copy of what is stored, where that is the answer.
pub(crate) fn settled(call: &Call<'_>, accepted: Accepted, code: u16, settled: Settled<'_>) -> Response {
    let is_text = accepted.shape == Shape::Plain && accepted.encoding == Encoding::Json;
    let copied = settled
        .stored
        .filter(|_| is_text && render::is_compact(accepted))
        .and_then(|(bytes, revision)| {
            let mut out = Vec::new();
            Verbatim::of(call.served)?
                .copied(call.served, bytes)?
                .append(&mut out, revision);
            Some(out)
        });
    match copied {
        Some(out) => render::json_text(accepted, code, out),
        None => object(call, accepted, code, settled.object),
    }
}

/// Responds with a `Status` of success, for an object that no longer exists.
pub(crate) fn success(
    call: &Call<'_>,
    accepted: Accepted,
    code: u16,
    name: &str,
    uid: Option<&str>,
) -> Response {
    let arena = Arena::new();
    let text = |text: &str| Value::Str(arena.alloc_str(text));
    let details = [
        ("name", Some(text(name)).filter(|_| !name.is_empty())),
        (
            "group",
            Some(text(&call.served.group)).filter(|_| !call.served.group.is_empty()),
        ),
        ("kind", Some(text(&call.served.plural))),
        ("uid", uid.map(text)),
    ];
    let details: Vec<Entry<'_>> = details
        .into_iter()
        .filter_map(|(key, value)| value.map(|value| Entry { key, value }))
        .collect();
    let members = [
        ("kind", "Status".into()),
        ("apiVersion", "v1".into()),
        ("metadata", Object::EMPTY.into()),
        ("status", "Success".into()),
        (
            "details",
            Object::from_entries(&arena, arena.alloc_slice_copy(&details)).into(),
        ),
    ];
    let members = members.map(|(key, value)| Entry { key, value });
    let status = Object::from_entries(&arena, arena.alloc_slice_copy(&members));
    negotiate::success(accepted, code, status.into())
}

/// The error of a request whose time is over.
pub(crate) fn timeout() -> Status {
    Status {
        code: 504,
        reason: "Timeout".into(),
        message: "Timeout: request did not complete within the allotted timeout".to_owned(),
        details: Some(Box::default()),
    }
}

/// Answers that something was done, without saying to what.
pub(crate) fn done(accepted: Accepted, code: u16) -> Response {
    let arena = Arena::new();
    let members = [
        ("kind", "Status".into()),
        ("apiVersion", "v1".into()),
        ("metadata", Object::EMPTY.into()),
        ("status", "Success".into()),
        ("code", Value::from(i64::from(code))),
    ];
    let members = members.map(|(key, value)| Entry { key, value });
    let status = Object::from_entries(&arena, arena.alloc_slice_copy(&members));
    negotiate::success(accepted, code, status.into())
}

/// Answers a path that is not there, as Go's router does.
pub(crate) fn page_not_found() -> Response {
    text(404, "404 page not found\n".to_owned())
}

/// Answers for another server that cannot be reached (`proxyError` in kube-aggregator's pkg/apiserver/handler_proxy.go).
pub(crate) fn service_unavailable() -> Response {
    text(503, "service unavailable\n".to_owned())
}

/// Says that the server failed, as its filters do (`InternalError` in apiserver's pkg/endpoints/handlers/responsewriters).
pub(crate) fn server_error(request: &Request<'_>, why: &str) -> Response {
    let mark = if request.query.is_empty() { "" } else { "?" };
    let address = format!("{}{mark}{}", request.path, request.query);
    text(
        500,
        format!("Internal Server Error: {}: {why}\n", quote(&address)),
    )
}

/// A plain text.
pub(crate) fn text(status: u16, text: String) -> Response {
    Response {
        status,
        headers: vec![
            ("content-type", "text/plain; charset=utf-8".into()),
            ("x-content-type-options", "nosniff".into()),
        ],
        content: Content::Bytes(text.into_bytes()),
    }
}

/// Adds the warnings to a response.
pub(crate) fn with_warnings(mut response: Response, warnings: Vec<String>) -> Response {
    for text in sent_warnings(warnings) {
        let quoted = text.replace('\\', "\\\\").replace('"', "\\\"");
        response
            .headers
            .push(("warning", format!("299 - \"{quoted}\"").into()));
    }
    response
}

/// The 405 of the router in front of built-in kinds.
pub(crate) fn method_not_allowed() -> Status {
    Status {
        code: 405,
        reason: "MethodNotAllowed".into(),
        message: "the server does not allow this method on the requested resource".to_owned(),
        details: Some(Box::default()),
    }
}

/// The 404 of the router in front of built-in kinds.
pub(crate) fn no_resource() -> Status {
    Status {
        code: 404,
        reason: "NotFound".into(),
        message: "the server could not find the requested resource".to_owned(),
        details: Some(Box::default()),
    }
}
