//! What an update of a service keeps and drops (`patchAllocatedValues` in pkg/registry/core/service/storage,
//! `dropTypeDependentFields` in pkg/registry/core/service/strategy.go).

use kindsmith_json::{Arena, Value};
use kindsmith_object::Release;

use super::addresses::Addresses;
use crate::DecodedObject;
use crate::edit::each;
use crate::field_check::{items, number, text};

fn kind<'a>(service: &DecodedObject<'a>) -> &'a str {
    text(service.get(&["spec", "type"]))
}

fn has_node_ports(service: &DecodedObject<'_>) -> bool {
    matches!(kind(service), "NodePort" | "LoadBalancer")
}

/// Does a service get ports on nodes without asking for them?
fn gets_node_ports(service: &DecodedObject<'_>) -> bool {
    let gives = service.get(&["spec", "allocateLoadBalancerNodePorts"]);
    kind(service) == "NodePort" || kind(service) == "LoadBalancer" && gives != Some(Value::Bool(false))
}

/// Can a service be reached from outside the cluster?
pub(super) fn is_outside(service: &DecodedObject<'_>) -> bool {
    let has_addresses = !items(service.get(&["spec", "externalIPs"])).is_empty();
    has_node_ports(service) || kind(service) == "ClusterIP" && has_addresses
}

/// Does a service have a port for health checks?
pub(super) fn needs_health_check(service: &DecodedObject<'_>) -> bool {
    kind(service) == "LoadBalancer" && text(service.get(&["spec", "externalTrafficPolicy"])) == "Local"
}

fn node_ports(service: &DecodedObject<'_>) -> Vec<i64> {
    let ports = items(service.get(&["spec", "ports"])).iter();
    let ports = ports.map(|port| number(port.get("nodePort")));
    ports.filter(|&port| port != 0).collect()
}

/// Copies what the old service got and the new one leaves out.
pub(super) fn keep_allocated<'a>(arena: &'a Arena, new: &mut DecodedObject<'a>, old: &DecodedObject<'a>) {
    let is_external = |service: &DecodedObject<'_>| kind(service) == "ExternalName";
    if !is_external(new) && !is_external(old) {
        for key in ["clusterIP", "clusterIPs"] {
            let is_empty = |value: Value<'_>| items(Some(value)).is_empty() && text(Some(value)).is_empty();
            if new.get(&["spec", key]).is_none_or(is_empty)
                && let Some(value) = old.get(&["spec", key])
            {
                new.set(arena, &["spec", key], value);
            }
        }
    }
    if gets_node_ports(new) && gets_node_ports(old) {
        keep_node_ports(arena, new, old);
    }
    let path = ["spec", "healthCheckNodePort"];
    if needs_health_check(new)
        && needs_health_check(old)
        && number(new.get(&path)) == 0
        && let Some(port) = old.get(&path)
    {
        new.set(arena, &path, port);
    }
}

/// Ports keep their node ports by name, unless another port has taken them.
fn keep_node_ports<'a>(arena: &'a Arena, new: &mut DecodedObject<'a>, old: &DecodedObject<'a>) {
    let used = node_ports(new);
    let before = items(old.get(&["spec", "ports"]));
    let mut object = new.value();
    let Some(mut spec) = object.get("spec") else {
        return;
    };
    each(arena, &mut spec, "ports", |port| {
        if number(port.get("nodePort")) != 0 {
            return None;
        }
        let name = text(port.get("name"));
        let known = before
            .iter()
            .rev()
            .find(|other| text(other.get("name")) == name)?;
        let node_port = number(known.get("nodePort"));
        (node_port != 0 && !used.contains(&node_port)).then(|| {
            let mut port = port;
            port.set(arena, &["nodePort"], Value::Int(node_port));
            port
        })
    });
    object.set(arena, &["spec"], spec);
    new.object = object.as_object().unwrap_or(new.object);
}

/// Drops what the new type has no use for and the client did not change.
pub(super) fn drop_unused<'a>(arena: &'a Arena, new: &mut DecodedObject<'a>, old: &DecodedObject<'a>) {
    let is_same = |new: &DecodedObject<'_>, key: &str| new.get(&["spec", key]) == old.get(&["spec", key]);
    let (before, after) = (
        Addresses::of(old, Release::NEWEST),
        Addresses::of(new, Release::NEWEST),
    );
    if !before.is_external() && after.is_external() {
        if after.has_same_ips(&before) {
            new.unset(arena, &["spec", "clusterIP"]);
            new.unset(arena, &["spec", "clusterIPs"]);
        }
        for key in ["ipFamilies", "ipFamilyPolicy"] {
            if is_same(new, key) {
                new.unset(arena, &["spec", key]);
            }
        }
    }
    let known = node_ports(old);
    let has_new_port = node_ports(new).iter().any(|port| !known.contains(port));
    if has_node_ports(old) && !has_node_ports(new) && !has_new_port {
        drop_node_ports(arena, new);
    }
    let drops = [
        (
            "healthCheckNodePort",
            needs_health_check(old) && !needs_health_check(new),
        ),
        (
            "allocateLoadBalancerNodePorts",
            kind(old) == "LoadBalancer" && kind(new) != "LoadBalancer",
        ),
        (
            "loadBalancerClass",
            kind(old) == "LoadBalancer" && kind(new) != "LoadBalancer",
        ),
        ("externalTrafficPolicy", is_outside(old) && !is_outside(new)),
    ];
    for (key, is_unused) in drops {
        if is_unused && is_same(new, key) {
            new.unset(arena, &["spec", key]);
        }
    }
    if kind(new) != "LoadBalancer" {
        new.unset(arena, &["status", "loadBalancer"]);
    }
}

fn drop_node_ports<'a>(arena: &'a Arena, service: &mut DecodedObject<'a>) {
    let mut object = service.value();
    let Some(mut spec) = object.get("spec") else {
        return;
    };
    each(arena, &mut spec, "ports", |port| {
        let mut port = port;
        port.unset(arena, &["nodePort"]).map(|_| port)
    });
    object.set(arena, &["spec"], spec);
    service.object = object.as_object().unwrap_or(service.object);
}
