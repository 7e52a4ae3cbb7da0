//! Requests that are passed on to a pod, a node or a service: commands, ports, proxies (`ConnectResource` in apiserver's
//! pkg/endpoints/handlers/rest.go). Options are read from the URL, admission sees them as the object of `CONNECT`, then
//! the target is looked for. Nothing is behind this server, so the answer is what the reference says when it cannot
//! get there.

mod address;
mod log_options;
mod node;
mod options;
mod pod;
mod service;

use kindsmith_json::{Arena, Value};
use kindsmith_request::Status;

use crate::context::Call;
use crate::write::admit::admit_connection;
use crate::{Attributes, Response};

pub(crate) use pod::log;

/// Finds out why a target cannot be reached. Gets the options as admission left them.
type Refuse = fn(&Call<'_>, Value<'_>) -> Result<Status, Status>;

/// The target of a connection: resource, subresource, and the function that finds its address.
const TARGETS: &[(&str, &str, Refuse)] = &[
    ("nodes", "proxy", node::proxy),
    ("pods", "attach", pod::stream),
    ("pods", "exec", pod::stream),
    ("pods", "portforward", pod::ports),
    ("pods", "proxy", pod::proxy),
    ("services", "proxy", service::proxy),
];

/// Answers a request for a connection; `None` if the resource has none of that name.
pub(crate) fn connect(call: &Call<'_>, subresource: &str) -> Option<Result<Response, Status>> {
    if !call.served.is_core() {
        return None;
    }
    let mut targets = TARGETS.iter();
    let wanted = (&*call.served.plural, subresource);
    let (.., refuse) = targets.find(|(resource, part, _)| (*resource, *part) == wanted)?;
    Some(attempt(call, subresource, *refuse))
}

fn attempt(call: &Call<'_>, subresource: &str, refuse: Refuse) -> Result<Response, Status> {
    if call.query.get("dryRun").is_some() {
        return Err(Status::bad_request("dryRun is not supported"));
    }
    let arena = Arena::new();
    let known = call.served.subresource(subresource);
    let kind = known.map_or("", |known| &known.kind.2);
    let options = options::read(call, &arena, kind).map_err(Status::bad_request)?;
    let options = admit_connection(call, &arena, kind, options)?;
    if subresource != "proxy" {
        check_create(call)?;
    }
    Err(refuse(call, options)?)
}

/// A stream that is opened by GET, as browsers must, needs the same permission as one by POST.
fn check_create(call: &Call<'_>) -> Result<(), Status> {
    let info = call.info;
    if info.verb == "create" {
        return Ok(());
    }
    let attributes = Attributes {
        verb: "create",
        ..Attributes::of(call.request.user, info)
    };
    let decision = call.core.access.authorize(&attributes);
    let decision = decision.map_err(crate::stored::failure)?;
    if decision.is_allowed {
        return Ok(());
    }
    let (group, resource) = (&info.group, &info.resource);
    Err(Status::forbidden(group, resource, &info.name, &decision.reason))
}

/// 503: what is asked for is not there now.
fn unavailable(message: String) -> Status {
    Status {
        code: 503,
        reason: "ServiceUnavailable".into(),
        message,
        details: None,
    }
}
