//! What Endpoints and EndpointSlices have in common: the services that are due, and the pods behind a service.

use std::collections::BTreeSet;

use kindsmith_json::{Arena, Value, object_of_present};

use crate::cluster::{Change, is_going};

/// A service by namespace and name.
pub(super) type Service = (String, String);

/// Services whose pods may have changed.
#[derive(Default)]
pub(super) struct Due {
    services: BTreeSet<Service>,
    dirty: BTreeSet<Service>,
}

impl Due {
    /// Notes a change of a service, a pod or of what a controller made, which is named by `own`.
    pub(super) fn see(&mut self, change: &Change<'_>, own: Option<&str>) {
        let place = change.place;
        if place.is("", "services") {
            let service = (place.namespace.clone(), place.name.clone());
            match change.new {
                Some(_) => drop(self.services.insert(service.clone())),
                None => drop(self.services.remove(&service)),
            }
            self.dirty.insert(service);
        } else if place.is("", "pods") {
            let near = self
                .services
                .iter()
                .filter(|(namespace, _)| *namespace == place.namespace);
            self.dirty.extend(near.cloned().collect::<Vec<_>>());
        } else if let Some(name) = own {
            let service = (place.namespace.clone(), name.to_owned());
            if self.services.contains(&service) {
                self.dirty.insert(service);
            }
        }
    }

    pub(super) fn take(&mut self) -> BTreeSet<Service> {
        std::mem::take(&mut self.dirty)
    }
}

/// Whether the endpoints of a service are those of pods.
pub(super) fn selects_pods(service: Value<'_>) -> bool {
    service.text(&["spec", "type"]) != "ExternalName"
        && service
            .lookup(&["spec", "selector"])
            .is_some_and(|selector| !selector.is_null())
}

/// A pod behind a service.
pub(super) struct Backend<'a> {
    pub(super) pod: Value<'a>,
    pub(super) is_ready: bool,
    pub(super) is_going: bool,
    /// Name, protocol, number and application protocol of each port that the pod has.
    pub(super) ports: Vec<Port<'a>>,
}

/// A port of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Port<'a> {
    pub(super) name: &'a str,
    pub(super) protocol: &'a str,
    pub(super) number: i64,
    pub(super) application: Option<&'a str>,
}

/// The pods that a service selects and that have an address; those that have ended are left out.
pub(super) fn backends<'a>(service: Value<'a>, pods: &'a [Value<'a>]) -> Vec<Backend<'a>> {
    let selector = service
        .lookup(&["spec", "selector"])
        .and_then(Value::as_object)
        .unwrap_or_default();
    let is_selected = |pod: &&Value<'a>| {
        let labels = pod.lookup(&["metadata", "labels"]).unwrap_or_default();
        selector.iter().all(|(key, value)| labels.get(key) == Some(value))
    };
    let has_ended = |pod: &&Value<'a>| matches!(pod.text(&["status", "phase"]), "Failed" | "Succeeded");
    pods.iter()
        .filter(is_selected)
        .filter(|pod| !has_ended(pod) && !pod.text(&["status", "podIP"]).is_empty())
        .map(|pod| Backend {
            pod: *pod,
            is_ready: is_ready(*pod),
            is_going: is_going(*pod),
            ports: ports(service, *pod),
        })
        .collect()
}

fn is_ready(pod: Value<'_>) -> bool {
    let conditions = pod.list(&["status", "conditions"]);
    conditions
        .iter()
        .any(|condition| condition.text("type") == "Ready" && condition.text("status") == "True")
}

fn ports<'a>(service: Value<'a>, pod: Value<'a>) -> Vec<Port<'a>> {
    let declared = service.list(&["spec", "ports"]).iter();
    declared
        .filter_map(|port| {
            let protocol = match port.text("protocol") {
                "" => "TCP",
                protocol => protocol,
            };
            let number = match port.get("targetPort")? {
                Value::Str(name) => named_port(pod, name, protocol)?,
                number => number.as_i64()?,
            };
            Some(Port {
                name: port.text("name"),
                protocol,
                number,
                application: port.get("appProtocol").and_then(Value::as_str),
            })
        })
        .collect()
}

fn named_port(pod: Value<'_>, name: &str, protocol: &str) -> Option<i64> {
    let containers = pod.list(&["spec", "containers"]).iter();
    let mut ports = containers.flat_map(|container| container.list("ports"));
    let found = ports.find(|port| {
        let own = port.text("protocol");
        port.text("name") == name && (own == protocol || (own.is_empty() && protocol == "TCP"))
    });
    found?.get("containerPort")?.as_i64()
}

/// The addresses of a pod in a family: `IPv4` or `IPv6`.
pub(super) fn address<'a>(pod: Value<'a>, family: &str) -> Option<&'a str> {
    let all = pod.list(&["status", "podIPs"]).iter();
    let all = all.map(|address| address.text("ip"));
    let mut all = all.chain([pod.text(&["status", "podIP"])]);
    all.find(|address| !address.is_empty() && address.contains(':') == (family == "IPv6"))
}

/// The address families of a service.
pub(super) fn families(service: Value<'_>) -> Vec<&str> {
    let families: Vec<&str> = service
        .list(&["spec", "ipFamilies"])
        .iter()
        .filter_map(|family| family.as_str())
        .collect();
    if families.is_empty() {
        vec!["IPv4"]
    } else {
        families
    }
}

pub(super) fn is_headless(service: Value<'_>) -> bool {
    matches!(service.text(&["spec", "clusterIP"]), "" | "None")
}

/// A reference to a pod.
pub(super) fn reference<'a>(arena: &'a Arena, pod: Value<'a>) -> Value<'a> {
    let meta = |key: &str| Some(Value::Str(pod.text(&["metadata", key])));
    object_of_present(
        arena,
        &[
            ("kind", Some(Value::Str("Pod"))),
            ("namespace", meta("namespace")),
            ("name", meta("name")),
            ("uid", meta("uid")),
        ],
    )
}

/// The host name of a pod, if the service is the subdomain of its pods.
pub(super) fn hostname<'a>(service: Value<'_>, pod: Value<'a>) -> Option<Value<'a>> {
    let hostname = pod.text(&["spec", "hostname"]);
    let is_own = pod.text(&["spec", "subdomain"]) == service.text(&["metadata", "name"]);
    (!hostname.is_empty() && is_own).then_some(Value::Str(hostname))
}
