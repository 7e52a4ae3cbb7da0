//! Services with a selector have EndpointSlices with the addresses of their pods, one for each family and set of ports
//! (pkg/controller/endpointslice/endpointslice_controller.go).

use std::collections::BTreeMap;

use kindsmith_api::Loopback;
use kindsmith_json::{Arena, Object, Value, object_of_present};

use super::Controller;
use super::endpoint::{
    Backend, Due, Port, address, backends, families, hostname, is_headless, reference, selects_pods,
};
use crate::cluster::{Change, Cluster, listed, object};

const SERVICE: &str = "kubernetes.io/service-name";
const MANAGED_BY: &str = "endpointslice.kubernetes.io/managed-by";
const MANAGER: &str = "endpointslice-controller.k8s.io";
const HEADLESS: &str = "service.kubernetes.io/headless";
/// As many endpoints as a slice has.
const MOST: usize = 100;

/// Keeps EndpointSlices.
#[derive(Default)]
pub(super) struct Slices {
    due: Due,
}

impl Controller for Slices {
    fn see(&mut self, change: &Change<'_>) {
        let slice = change.new.or(change.old).unwrap_or_default();
        let label = |name: &str| slice.text(&["metadata", "labels", name]);
        let is_own = change.place.is("discovery.k8s.io", "endpointslices") && label(MANAGED_BY) == MANAGER;
        self.due.see(change, is_own.then(|| label(SERVICE)));
    }

    fn act(&mut self, cluster: &Cluster<'_>) -> Option<i64> {
        for (namespace, name) in self.due.take() {
            sync(cluster, &namespace, &name);
        }
        None
    }
}

fn sync(cluster: &Cluster<'_>, namespace: &str, name: &str) {
    let (arena, client) = (Arena::new(), cluster.client("endpointslice"));
    let path = format!("/apis/discovery.k8s.io/v1/namespaces/{namespace}/endpointslices");
    let selected = format!("{path}?labelSelector={SERVICE}%3D{name},{MANAGED_BY}%3D{MANAGER}");
    let known = listed(&arena, &client.get(&selected));
    let core = |resource: &str| format!("/api/v1/namespaces/{namespace}/{resource}");
    let service = object(&arena, &client.get(&format!("{}/{name}", core("services"))));
    let wanted = match service.filter(|service| selects_pods(*service)) {
        Some(service) => {
            let pods = listed(&arena, &client.get(&core("pods")));
            slices(&arena, service, &backends(service, pods))
        }
        None => Vec::new(),
    };
    reconcile(&arena, &client, &path, known, wanted);
}

/// Keeps slices that are right, changes others, then creates or deletes.
fn reconcile<'a>(
    arena: &'a Arena,
    client: &Loopback<'_>,
    path: &str,
    known: &[Value<'a>],
    wanted: Vec<Value<'a>>,
) {
    const COMPARED: [&[&str]; 4] = [
        &["addressType"],
        &["endpoints"],
        &["ports"],
        &["metadata", "labels"],
    ];
    let is_same = |one: Value<'a>, other: Value<'a>, path: &[&str]| {
        let is_empty = || one.list(path).is_empty() && other.list(path).is_empty();
        one.lookup(path) == other.lookup(path) || (path.len() == 1 && path != ["addressType"] && is_empty())
    };
    let mut known: Vec<Value<'a>> = known.to_vec();
    let mut left = Vec::new();
    for slice in wanted {
        let equal = known
            .iter()
            .position(|old| COMPARED.iter().all(|path| is_same(*old, slice, path)));
        match equal {
            Some(index) => drop(known.remove(index)),
            None => left.push(slice),
        }
    }
    for slice in left {
        let same_family = |old: &Value<'a>| old.get("addressType") == slice.get("addressType");
        // Whoever is faster causes another look.
        match known.iter().position(same_family) {
            Some(index) => {
                let mut old = known.remove(index);
                let name = old.text(&["metadata", "name"]);
                for path in [&["endpoints"][..], &["ports"], &["metadata", "labels"]] {
                    match slice.lookup(path) {
                        Some(value) => old.set(arena, path, value),
                        None => drop(old.unset(arena, path)),
                    }
                }
                drop(client.put(&format!("{path}/{name}"), old));
            }
            None => drop(client.post(path, &kindsmith_json::to_string(slice))),
        }
    }
    for old in known {
        let name = old.text(&["metadata", "name"]);
        drop(client.delete(&format!("{path}/{name}"), ""));
    }
}

/// The slices of a service; one without endpoints if it has none.
fn slices<'a>(arena: &'a Arena, service: Value<'a>, backends: &[Backend<'a>]) -> Vec<Value<'a>> {
    let mut slices = Vec::new();
    for family in families(service) {
        let mut groups: BTreeMap<Vec<Port<'a>>, Vec<Value<'a>>> = BTreeMap::new();
        for backend in backends {
            if let Some(address) = address(backend.pod, family) {
                let endpoint = endpoint(arena, service, backend, address);
                groups.entry(backend.ports.clone()).or_default().push(endpoint);
            }
        }
        if groups.is_empty() {
            slices.push(slice(arena, service, family, (&[], &[])));
        }
        for (ports, endpoints) in &groups {
            let parts = endpoints.chunks(MOST);
            slices.extend(parts.map(|endpoints| slice(arena, service, family, (ports, endpoints))));
        }
    }
    slices
}

fn endpoint<'a>(arena: &'a Arena, service: Value<'a>, backend: &Backend<'a>, address: &'a str) -> Value<'a> {
    let shows_all = service.lookup(&["spec", "publishNotReadyAddresses"]) == Some(Value::Bool(true));
    let node = backend.pod.text(&["spec", "nodeName"]);
    let zone = backend
        .pod
        .text(&["metadata", "labels", "topology.kubernetes.io/zone"]);
    let set = |text: &'a str| (!text.is_empty()).then_some(Value::Str(text));
    let conditions = [
        ("ready", shows_all || (backend.is_ready && !backend.is_going)),
        ("serving", backend.is_ready),
        ("terminating", backend.is_going),
    ];
    let conditions = conditions.map(|(name, is_true)| (name, Some(Value::Bool(is_true))));
    object_of_present(
        arena,
        &[
            (
                "addresses",
                Some(Value::Array(arena.alloc_slice_copy(&[Value::Str(address)]))),
            ),
            ("conditions", Some(object_of_present(arena, &conditions))),
            ("hostname", hostname(service, backend.pod)),
            ("targetRef", Some(reference(arena, backend.pod))),
            ("nodeName", set(node)),
            ("zone", set(zone)),
        ],
    )
}

fn slice<'a>(
    arena: &'a Arena,
    service: Value<'a>,
    family: &'a str,
    (ports, endpoints): (&[Port<'a>], &[Value<'a>]),
) -> Value<'a> {
    let ports: Vec<Value<'a>> = ports
        .iter()
        .map(|port| {
            let application = port.application.map(Value::Str);
            object_of_present(
                arena,
                &[
                    ("name", Some(Value::Str(port.name))),
                    ("protocol", Some(Value::Str(port.protocol))),
                    ("port", Some(Value::Int(port.number))),
                    ("appProtocol", application),
                ],
            )
        })
        .collect();
    object_of_present(
        arena,
        &[
            ("apiVersion", Some(Value::Str("discovery.k8s.io/v1"))),
            ("kind", Some(Value::Str("EndpointSlice"))),
            ("metadata", Some(metadata(arena, service))),
            ("addressType", Some(Value::Str(family))),
            ("endpoints", Some(Value::Array(arena.alloc_slice_copy(endpoints)))),
            ("ports", Some(Value::Array(arena.alloc_slice_copy(&ports)))),
        ],
    )
}

fn metadata<'a>(arena: &'a Arena, service: Value<'a>) -> Value<'a> {
    let name = service.text(&["metadata", "name"]);
    let mut labels: Object<'a> = service
        .lookup(&["metadata", "labels"])
        .and_then(Value::as_object)
        .unwrap_or_default();
    labels.insert(arena, SERVICE, Value::Str(name));
    labels.insert(arena, MANAGED_BY, Value::Str(MANAGER));
    if is_headless(service) {
        labels.insert(arena, HEADLESS, Value::Str(""));
    } else {
        labels.remove(arena, HEADLESS);
    }
    let owner = object_of_present(
        arena,
        &[
            ("apiVersion", Some(Value::Str("v1"))),
            ("kind", Some(Value::Str("Service"))),
            ("name", Some(Value::Str(name))),
            ("uid", Some(Value::Str(service.text(&["metadata", "uid"])))),
            ("controller", Some(Value::Bool(true))),
            ("blockOwnerDeletion", Some(Value::Bool(true))),
        ],
    );
    object_of_present(
        arena,
        &[
            (
                "generateName",
                Some(Value::Str(arena.alloc_str(&format!("{name}-")))),
            ),
            ("labels", Some(Value::Object(labels))),
            (
                "ownerReferences",
                Some(Value::Array(arena.alloc_slice_copy(&[owner]))),
            ),
        ],
    )
}
