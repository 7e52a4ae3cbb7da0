//! What the node of a pod answers: logs, commands, ports. There are no nodes behind this server, so it answers what the
//! reference answers before it asks one (`LogLocation` and its neighbors in pkg/registry/core/pod/strategy.go).

use kindsmith_json::{Arena, Value};
use kindsmith_request::Status;

use super::text;
use crate::verb::Call;
use crate::{Content, Response, stored};

/// Lists of containers, in the order in which they are named.
const LISTS: [&str; 3] = ["initContainers", "containers", "ephemeralContainers"];

/// Answers the log of a pod. One that is on no node has an empty one.
pub(crate) fn log(call: &Call<'_>) -> Result<Response, Status> {
    let arena = Arena::new();
    let pod = pod(call, &arena, call.info.path_name())?;
    check_container(call, pod)?;
    let node = text(pod, &["spec", "nodeName"]);
    if !node.is_empty() {
        return Err(unreachable(call, node)?);
    }
    Ok(Response {
        status: 200,
        headers: vec![("content-type", "text/plain".into())],
        content: Content::Bytes(Vec::new()),
    })
}

/// Answers a command or an attachment to a container.
pub(crate) fn stream(call: &Call<'_>) -> Result<Response, Status> {
    let arena = Arena::new();
    let pod = pod(call, &arena, call.info.path_name())?;
    check_container(call, pod)?;
    Err(on_node(call, pod)?)
}

/// Answers a request for ports.
pub(crate) fn ports(call: &Call<'_>) -> Result<Response, Status> {
    let arena = Arena::new();
    let pod = pod(call, &arena, call.info.path_name())?;
    Err(on_node(call, pod)?)
}

/// Answers a request that is meant for the pod itself. Its name may have a scheme and a port around it.
pub(crate) fn proxy(call: &Call<'_>) -> Result<Response, Status> {
    let arena = Arena::new();
    let id = call.info.path_name();
    let Some(name) = name_of(id) else {
        let id = kindsmith_gostd::quote::quote(id);
        return Err(Status::bad_request(format!("invalid pod request {id}")));
    };
    let pod = pod(call, &arena, name)?;
    let address = text(pod, &["status", "podIP"]);
    if !is_reachable(address) {
        return Err(Status::bad_request("address not allowed"));
    }
    Err(Status {
        code: 503,
        reason: "ServiceUnavailable".into(),
        message: format!("error trying to reach service: this server has no route to {address}"),
        details: None,
    })
}

/// `scheme:name:port`, of which scheme and port may be left out.
fn name_of(id: &str) -> Option<&str> {
    let parts: Vec<&str> = id.split(':').collect();
    match &*parts {
        [name] | [name, _] => Some(*name),
        ["http" | "https" | "", name, _] => Some(*name),
        _ => None,
    }
    .filter(|name| !name.is_empty())
}

/// An address of a host that is not this one.
fn is_reachable(address: &str) -> bool {
    let parsed = address.parse::<std::net::IpAddr>();
    parsed.is_ok_and(|address| match address {
        std::net::IpAddr::V4(address) => {
            !(address.is_unspecified()
                || address.is_loopback()
                || address.is_multicast()
                || address.is_link_local()
                || address.is_broadcast())
        }
        std::net::IpAddr::V6(address) => {
            let is_link_local = address.segments()[0] & 0xffc0 == 0xfe80;
            !(address.is_unspecified() || address.is_loopback() || address.is_multicast() || is_link_local)
        }
    })
}

fn pod<'a>(call: &'a Call<'_>, arena: &'a Arena, name: &str) -> Result<Value<'a>, Status> {
    let key = call.key_of(name)?;
    let entry = call.store.get(key.as_bytes(), None).map_err(stored::failure)?;
    let entry = entry.ok_or_else(|| Status::not_found("", "pods", name))?;
    stored::copy(arena, &entry)
}

/// A container must be named if there are several, and must be one of the pod's.
fn check_container(call: &Call<'_>, pod: Value<'_>) -> Result<(), Status> {
    let (wanted, pod_name) = (call.query.text("container"), stored::name(pod));
    let names = |list: &str| -> Vec<&str> {
        let containers = pod.lookup(&["spec", list]).and_then(Value::as_array);
        let containers = containers.unwrap_or_default().iter();
        containers.map(|container| text(*container, &["name"])).collect()
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
    let node = text(pod, &["spec", "nodeName"]);
    if node.is_empty() {
        let name = stored::name(pod);
        let problem = format!("pod {name} does not have a host assigned");
        return Ok(Status::bad_request(problem));
    }
    unreachable(call, node)
}

/// Why a node cannot be asked.
fn unreachable(call: &Call<'_>, node: &str) -> Result<Status, Status> {
    let key = format!("/registry/minions/{node}");
    let entry = call.store.get(key.as_bytes(), None).map_err(stored::failure)?;
    let Some(entry) = entry else {
        return Ok(Status::not_found("", "nodes", node));
    };
    let arena = Arena::new();
    let found = stored::copy(&arena, &entry)?;
    let addresses = found
        .lookup(&["status", "addresses"])
        .and_then(Value::as_array)
        .unwrap_or_default();
    Ok(Status::unforeseen(match addresses.is_empty() {
        true => "no preferred addresses found; known addresses: []".to_owned(),
        false => format!("error dialing backend: this server has no route to node {node}"),
    }))
}
