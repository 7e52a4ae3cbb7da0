//! Services as targets (`ResourceLocation` in pkg/registry/core/service/storage/storage.go).

use kindsmith_gostd::quote::quote;
use kindsmith_json::{Arena, Value};
use kindsmith_object::Behavior;
use kindsmith_object::store_key::StorePrefix;
use kindsmith_request::Status;

use super::address::name_and_port;
use super::unavailable;
use crate::context::Call;
use crate::stored;

/// An endpoint of the service. The service itself is looked for only if its port is given as a number; older releases look for its
/// endpoints.
pub(super) fn proxy(call: &Call<'_>, _: Value<'_>) -> Result<Status, Status> {
    let (name, port) = name_and_port("service", call.info.path_name())?;
    let key = call.key_of(name)?;
    if let Ok(number) = port.parse::<i64>()
        && !has_port(call, &key, name, number)?
    {
        let name = quote(name);
        return Ok(unavailable(format!(
            "no service port {number} found for service {name}"
        )));
    }
    if !call.served.resource.release().has(Behavior::ServicesBySlices) {
        let endpoints = StorePrefix::own("", "endpoints").key(call.namespace(), name);
        let entry = call
            .store
            .get(endpoints.as_bytes(), None)
            .map_err(stored::failure)?;
        entry.ok_or_else(|| Status::not_found("", "services", name))?;
    }
    Ok(unavailable(format!(
        "no endpoints available for service {}",
        quote(name)
    )))
}

fn has_port(call: &Call<'_>, key: &str, name: &str, number: i64) -> Result<bool, Status> {
    let entry = call.store.get(key.as_bytes(), None).map_err(stored::failure)?;
    let entry = entry.ok_or_else(|| Status::not_found("", "services", name))?;
    let arena = Arena::new();
    let service = stored::copy(&arena, &entry)?;
    let ports = service.lookup(&["spec", "ports"]).and_then(Value::as_array);
    let mut ports = ports.unwrap_or_default().iter();
    Ok(ports.any(|port| port.get("port").and_then(Value::as_i64) == Some(number)))
}
