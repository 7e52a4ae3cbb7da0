//! Nodes as targets (`ResourceLocation` in pkg/registry/core/node/strategy.go, `NodeConnectionInfoGetter` in
//! pkg/kubelet/client/kubelet_client.go).

use kindsmith_json::{Arena, Value};
use kindsmith_object::store_key;
use kindsmith_request::Status;

use super::address::{is_reachable, name_and_port};
use super::unavailable;
use crate::context::Call;
use crate::stored;

/// The kubelet, or another port of its host.
pub(super) fn proxy(call: &Call<'_>, _: Value<'_>) -> Result<Status, Status> {
    let (name, _) = name_and_port("node", call.info.path_name())?;
    let host = match host(call, name)? {
        Ok(host) => host,
        Err(status) => return Ok(status),
    };
    if host.parse().is_ok_and(|address| !is_reachable(address)) {
        return Ok(Status::bad_request("address not allowed"));
    }
    Ok(unavailable(format!(
        "error trying to reach service: this server has no route to {host}"
    )))
}

/// Why a node cannot be asked.
pub(super) fn unreachable(call: &Call<'_>, node: &str) -> Result<Status, Status> {
    Ok(match host(call, node)? {
        Err(status) => status,
        Ok(_) => Status::unforeseen(format!(
            "error dialing backend: this server has no route to node {node}"
        )),
    })
}

/// The first address of a node, or why there is none.
fn host(call: &Call<'_>, node: &str) -> Result<Result<String, Status>, Status> {
    let key = store_key::NODES.key("", node);
    let entry = call.store.get(key.as_bytes(), None).map_err(stored::failure)?;
    let Some(entry) = entry else {
        return Ok(Err(Status::not_found("", "nodes", node)));
    };
    let arena = Arena::new();
    let found = stored::copy(&arena, &entry)?;
    let addresses = found.lookup(&["status", "addresses"]).and_then(Value::as_array);
    let Some(first) = addresses.and_then(<[Value<'_>]>::first) else {
        return Ok(Err(Status::unforeseen(
            "no preferred addresses found; known addresses: []".to_owned(),
        )));
    };
    Ok(Ok(first.text("address").to_owned()))
}
