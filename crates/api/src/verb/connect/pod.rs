//! Pods as targets (`LogLocation` and its neighbors in pkg/registry/core/pod/strategy.go).

use kindsmith_json::{Arena, Value};
use kindsmith_request::Status;

use super::address::{is_reachable, name_and_port};
use super::{log_options, node, unavailable};
use crate::context::Call;
use crate::response::negotiate::{self, Endpoint, Shape, refused_unless};
use crate::{Content, Response, stored};

/// Lists of containers, in the order in which they are named.
const LISTS: [&str; 3] = ["initContainers", "containers", "ephemeralContainers"];

/// What the route of logs produces; only what all reads produce can be negotiated.
const PRODUCED: [&str; 4] = [
    "text/plain",
    "application/json",
    "application/yaml",
    "application/vnd.kubernetes.protobuf",
];

/// Answers the log of a pod. One that is on no node has none. Logs are read, not connected to, so admission does not see the
/// request.
pub(crate) fn log(call: &Call<'_>) -> Result<Response, Status> {
    if let Some(refusal) = refused_unless(call.request.header("accept"), &PRODUCED) {
        return Err(refusal);
    }
    let accepted = negotiate::negotiate(call.request, call.query, Endpoint::Untabled)?;
    log_options::check(call)?;
    let arena = Arena::new();
    let pod = pod(call, &arena, call.info.path_name())?;
    check_container(pod, call.query.text("container"))?;
    let node = pod.text(&["spec", "nodeName"]);
    if !node.is_empty() {
        return Err(node::unreachable(call, node)?);
    }
    match accepted.shape {
        Shape::Partial(_) => Err(Status::unforeseen("object does not implement the Object interfaces")),
        Shape::PartialList(_) => Err(negotiate::not_acceptable_because(
            "you requested PartialObjectMetadataList, but the requested object is not a list (*rest.LocationStreamer)"
                .to_owned(),
        )),
        _ => Ok(Response {
            status: 204,
            headers: Vec::new(),
            content: Content::Bytes(Vec::new()),
        }),
    }
}

/// A command in a container, or an attachment to it.
pub(super) fn stream(call: &Call<'_>, options: Value<'_>) -> Result<Status, Status> {
    let arena = Arena::new();
    let pod = pod(call, &arena, call.info.path_name())?;
    check_container(pod, options.text("container"))?;
    on_node(call, pod)
}

/// Ports of the pod.
pub(super) fn ports(call: &Call<'_>, _: Value<'_>) -> Result<Status, Status> {
    let arena = Arena::new();
    let pod = pod(call, &arena, call.info.path_name())?;
    on_node(call, pod)
}

/// The pod itself.
pub(super) fn proxy(call: &Call<'_>, _: Value<'_>) -> Result<Status, Status> {
    let arena = Arena::new();
    let (name, _) = name_and_port("pod", call.info.path_name())?;
    let pod = pod(call, &arena, name)?;
    let address = pod.text(&["status", "podIP"]);
    if !address.parse().is_ok_and(is_reachable) {
        return Ok(Status::bad_request("address not allowed"));
    }
    Ok(unavailable(format!(
        "error trying to reach service: this server has no route to {address}"
    )))
}

fn pod<'a>(call: &'a Call<'_>, arena: &'a Arena, name: &str) -> Result<Value<'a>, Status> {
    let key = call.key_of(name)?;
    let entry = call.store.get(key.as_bytes(), None).map_err(stored::failure)?;
    let entry = entry.ok_or_else(|| Status::not_found("", "pods", name))?;
    stored::copy(arena, &entry)
}

/// A container must be named if there are several, and must be one of the pod's.
fn check_container(pod: Value<'_>, wanted: &str) -> Result<(), Status> {
    let pod_name = stored::name(pod);
    let names = |list: &str| -> Vec<&str> {
        let containers = pod.lookup(&["spec", list]).and_then(Value::as_array);
        let containers = containers.unwrap_or_default().iter();
        containers.map(|container| container.text("name")).collect()
    };
    let all: Vec<&str> = LISTS.iter().flat_map(|list| names(list)).collect();
    let problem = match (wanted, names("containers").len()) {
        ("", 1) => return Ok(()),
        ("", 0) => format!("a container name must be specified for pod {pod_name}"),
        ("", _) => format!(
            "a container name must be specified for pod {pod_name}, choose one of: [{}]",
            all.join(" ")
        ),
        (wanted, _) if all.contains(&wanted) => return Ok(()),
        (wanted, _) => format!("container {wanted} is not valid for pod {pod_name}"),
    };
    Err(Status::bad_request(problem))
}

/// The answer to a request for which a node is needed.
fn on_node(call: &Call<'_>, pod: Value<'_>) -> Result<Status, Status> {
    let node = pod.text(&["spec", "nodeName"]);
    if node.is_empty() {
        let name = stored::name(pod);
        let problem = format!("pod {name} does not have a host assigned");
        return Ok(Status::bad_request(problem));
    }
    node::unreachable(call, node)
}
