//! Services with a selector have an Endpoints object with the addresses of their pods
//! (pkg/controller/endpoint/endpoints_controller.go).

use std::collections::BTreeMap;

use kindsmith_json::{Arena, Value, object_of_present};

use super::Controller;
use super::endpoint::{
    Backend, Due, Port, address, backends, families, hostname, is_headless, reference, selects_pods,
};
use crate::cluster::{Change, Cluster, listed, object, quoted};

const MANAGED_BY: &str = "endpoints.kubernetes.io/managed-by";
const HEADLESS: &str = "service.kubernetes.io/headless";

/// Keeps Endpoints objects.
#[derive(Default)]
pub(super) struct Endpoints {
    due: Due,
}

impl Controller for Endpoints {
    fn see(&mut self, change: &Change<'_>) {
        let own = change.place.is("", "endpoints").then_some(&*change.place.name);
        self.due.see(change, own);
    }

    fn act(&mut self, cluster: &Cluster<'_>) -> Option<i64> {
        for (namespace, name) in self.due.take() {
            sync(cluster, &namespace, &name);
        }
        None
    }
}

fn sync(cluster: &Cluster<'_>, namespace: &str, name: &str) {
    let (arena, client) = (Arena::new(), cluster.client("endpoint"));
    let path = |resource: &str| format!("/api/v1/namespaces/{namespace}/{resource}");
    let own = format!("{}/{name}", path("endpoints"));
    let Some(service) = object(&arena, &client.get(&format!("{}/{name}", path("services")))) else {
        // There may be none.
        let _ = client.delete(&own, "");
        return;
    };
    if !selects_pods(service) {
        return;
    }
    let pods = listed(&arena, &client.get(&path("pods")));
    let subsets = subsets(&arena, service, &backends(service, pods));
    let known = object(&arena, &client.get(&own));
    let mut wanted = known.unwrap_or_else(|| {
        let base = format!(
            r#"{{"apiVersion":"v1","kind":"Endpoints","metadata":{{"name":{}}}}}"#,
            quoted(name)
        );
        kindsmith_json::parse_str(&arena, arena.alloc_str(&base)).unwrap_or_default()
    });
    let mut labels = service
        .lookup(&["metadata", "labels"])
        .and_then(Value::as_object)
        .unwrap_or_default();
    labels.insert(&arena, MANAGED_BY, Value::Str("endpoint-controller"));
    if is_headless(service) {
        labels.insert(&arena, HEADLESS, Value::Str(""));
    } else {
        labels.remove(&arena, HEADLESS);
    }
    wanted.set(&arena, &["metadata", "labels"], Value::Object(labels));
    if subsets.as_array().unwrap_or_default().is_empty() {
        wanted.unset(&arena, &["subsets"]);
    } else {
        wanted.set(&arena, &["subsets"], subsets);
    }
    // Whoever is faster causes another look.
    match known {
        Some(known) if known == wanted => {}
        Some(_) => drop(client.put(&own, wanted)),
        None => drop(client.post(&path("endpoints"), &kindsmith_json::to_string(wanted))),
    }
}

/// Addresses by the ports that they share.
fn subsets<'a>(arena: &'a Arena, service: Value<'a>, backends: &[Backend<'a>]) -> Value<'a> {
    let shows_all = service.lookup(&["spec", "publishNotReadyAddresses"]) == Some(Value::Bool(true));
    let has_ports = !service.list(&["spec", "ports"]).is_empty();
    let mut groups: BTreeMap<Vec<Port<'a>>, [Vec<Value<'a>>; 2]> = BTreeMap::new();
    let family = families(service)[0];
    for backend in backends.iter().filter(|backend| shows_all || !backend.is_going) {
        let Some(ip) = address(backend.pod, family) else {
            continue;
        };
        if has_ports && backend.ports.is_empty() {
            continue;
        }
        let node = backend.pod.text(&["spec", "nodeName"]);
        let entry = object_of_present(
            arena,
            &[
                ("ip", Some(Value::Str(ip))),
                ("hostname", hostname(service, backend.pod)),
                ("nodeName", (!node.is_empty()).then_some(Value::Str(node))),
                ("targetRef", Some(reference(arena, backend.pod))),
            ],
        );
        let mut ports = backend.ports.clone();
        ports.sort();
        let group = groups.entry(ports).or_default();
        group[usize::from(!(shows_all || backend.is_ready))].push(entry);
    }
    let subsets = groups.into_iter().map(|(ports, addresses)| {
        let [ready, not_ready] = addresses.map(|mut addresses| {
            addresses.sort_by(|left, right| left.text("ip").cmp(right.text("ip")));
            (!addresses.is_empty()).then(|| Value::Array(arena.alloc_slice_copy(&addresses)))
        });
        let ports: Vec<Value<'a>> = ports.iter().map(|port| port_value(arena, port)).collect();
        let ports = (!ports.is_empty()).then(|| Value::Array(arena.alloc_slice_copy(&ports)));
        object_of_present(
            arena,
            &[
                ("addresses", ready),
                ("notReadyAddresses", not_ready),
                ("ports", ports),
            ],
        )
    });
    Value::Array(arena.alloc_slice_copy(&subsets.collect::<Vec<_>>()))
}

fn port_value<'a>(arena: &'a Arena, port: &Port<'a>) -> Value<'a> {
    object_of_present(
        arena,
        &[
            ("name", (!port.name.is_empty()).then_some(Value::Str(port.name))),
            ("port", Some(Value::Int(port.number))),
            ("protocol", Some(Value::Str(port.protocol))),
            ("appProtocol", port.application.map(Value::Str)),
        ],
    )
}
