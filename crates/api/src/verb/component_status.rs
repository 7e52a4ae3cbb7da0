//! Component statuses, which are made when they are asked for (pkg/registry/core/componentstatus): the parts of a control plane
//! that would run beside this server, and its store.

use std::net::{Ipv4Addr, SocketAddr};

use kindsmith_json::{Arena, Value, parse_str, to_string};
use kindsmith_request::Status;

use crate::context::Call;
use crate::read::list_options::ListOptions;
use crate::response::render::ListMeta;

/// Where the other components say how they are.
const COMPONENTS: [(&str, u16); 2] = [("scheduler", 10259), ("controller-manager", 10257)];

/// The status of one component.
///
/// # Errors
///
/// If there is no such component.
pub(super) fn get<'a>(call: &Call<'_>, arena: &'a Arena) -> Result<Value<'a>, Status> {
    let name = call.info.path_name();
    let found = all(call, arena).into_iter().find(|(other, _)| *other == name);
    // The reference names the resource in the singular here.
    found
        .map(|(_, status)| status)
        .ok_or_else(|| Status::not_found("", "componentstatus", name))
}

/// Visits the statuses that are selected; there are no pages and no revisions.
pub(super) fn each(
    call: &Call<'_>,
    options: &ListOptions,
    visit: &mut dyn for<'a> FnMut(&'a Arena, Value<'a>),
) -> ListMeta {
    let arena = Arena::new();
    for (_, status) in all(call, &arena) {
        if options.labels.selects(status) && options.fields.matches(status) {
            visit(&arena, status);
        }
    }
    ListMeta::default()
}

fn all<'a>(call: &Call<'_>, arena: &'a Arena) -> Vec<(&'static str, Value<'a>)> {
    let probe = call.core.probe;
    let components = COMPONENTS.map(|(name, port)| {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let answer = match probe {
            Some(probe) => probe(address),
            None => Err("connect: connection refused".to_owned()),
        };
        let failed = |error| {
            Told::Message(format!(
                "Get \"https://{address}/healthz\": dial tcp {address}: {error}"
            ))
        };
        (name, answer.map_err(failed))
    });
    let store = call
        .store
        .health()
        .map_err(|error| Told::Error(error.to_string()));
    components
        .into_iter()
        .chain([("etcd-0", store)])
        .map(|(name, health)| (name, status(arena, name, health)))
        .collect()
}

/// Where a condition says what is wrong: failed calls of components are their message, those of etcd an error
/// (`DoServerCheck` of `HttpServer` and of `EtcdServer`).
enum Told {
    Message(String),
    Error(String),
}

fn status<'a>(arena: &'a Arena, name: &str, health: Result<(), Told>) -> Value<'a> {
    let (status, key, text) = match health {
        Ok(()) => ("True", "message", "ok".to_owned()),
        Err(Told::Message(text)) => ("False", "message", text),
        Err(Told::Error(text)) => ("False", "error", text),
    };
    let text = to_string(Value::Str(&text));
    let text = format!(
        r#"{{"kind":"ComponentStatus","apiVersion":"v1","metadata":{{"name":"{name}"}},"conditions":[{{"type":"Healthy","status":"{status}","{key}":{text}}}]}}"#
    );
    parse_str(arena, arena.alloc_str(&text)).unwrap_or_default()
}
