//! Services (pkg/registry/core/service). Addresses are not kept track of: one is made of the service's uid.

use std::collections::{BTreeSet, HashSet};

use kindsmith_json::{Arena, ArrayEdit, Path, Value};
use kindsmith_object::FieldError;
use kindsmith_object::meta::{NameRule, validate_labels};

use crate::pod::port_number;
use crate::rule::{duplicate, entries, items, not_supported, number, required, text};
use crate::table::{Row, Table, text_of};
use crate::{Change, DecodedObject, Names, Preparation, Strategy, Subresource, headings};

const SPEC: Path<'static> = Path::root("spec");
const TYPES: [&str; 4] = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];

#[derive(Debug)]
pub(crate) struct Service;

impl Strategy for Service {
    fn table(&self, _: &Names) -> Table {
        Table {
            headings: headings::SERVICE,
            cells,
        }
    }

    fn selectable_fields(&self, _: &Names) -> Option<&'static [&'static str]> {
        Some(&[
            "metadata.name",
            "metadata.namespace",
            "spec.clusterIP",
            "spec.type",
        ])
    }

    fn key_prefix(&self) -> Option<&'static str> {
        Some("/registry/services/specs/")
    }

    /// A DNS label that starts with a letter would be asked for by older servers.
    fn name_rule(&self) -> NameRule {
        NameRule::Label
    }

    fn short_names(&self) -> &'static [&'static str] {
        &["svc"]
    }

    fn categories(&self) -> &'static [&'static str] {
        &["all"]
    }

    fn subresources(&self) -> &'static [Subresource] {
        &[Subresource::STATUS]
    }

    fn creates_on_update(&self) -> bool {
        true
    }

    fn returns_deleted_object(&self) -> bool {
        true
    }

    fn reset_fields(&self, subresource: &str) -> &'static [&'static [&'static str]] {
        match subresource {
            "status" => &[&["spec"]],
            _ => &[&["status"]],
        }
    }

    fn default<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let Some(spec) = object.get("spec").filter(|spec| !spec.is_null()) else {
            return object;
        };
        let mut object = object;
        let kind = text(spec.get("type"));
        let is_external = kind == "ExternalName";
        let ports = items(spec.get("ports"));
        let mut edit = ArrayEdit::new(arena, ports);
        for (index, &port) in ports.iter().enumerate() {
            if matches!(
                port.get("targetPort"),
                None | Some(Value::Null | Value::Int(0) | Value::Str(""))
            ) {
                let mut port = port;
                port.set(arena, &["targetPort"], Value::Int(number(port.get("port"))));
                edit.set(index, port);
            }
        }
        if edit.is_changed() {
            object.set(arena, &["spec", "ports"], Value::Array(edit.finish()));
        }
        let mut fill = |key: &'static str, value: Value<'a>| {
            if object.lookup(&["spec", key]).is_none_or(Value::is_null) {
                object.set(arena, &["spec", key], value);
            }
        };
        if !is_external {
            fill("internalTrafficPolicy", Value::Str("Cluster"));
        }
        if matches!(kind, "NodePort" | "LoadBalancer") {
            fill("externalTrafficPolicy", Value::Str("Cluster"));
        }
        if kind == "LoadBalancer" {
            fill("allocateLoadBalancerNodePorts", Value::Bool(true));
        }
        default_affinity(arena, object)
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, decoded: &mut DecodedObject<'a>) {
        let arena = preparation.arena;
        let Some(old) = preparation.old else {
            decoded.object.remove(arena, "status");
            let is_headless = text(decoded.get(&["spec", "clusterIP"])) == "None";
            if !is_headless && needs_address(decoded) && text(decoded.get(&["spec", "clusterIP"])).is_empty()
            {
                // The address is only shown once the service is valid, but what it is made of is known here.
                let address = arena.alloc_str(&address(preparation.uid));
                decoded.set(arena, &["spec", "clusterIP"], Value::Str(address));
            }
            return;
        };
        if preparation.subresource == "status" {
            return decoded.restore(arena, "spec", old);
        }
        decoded.restore(arena, "status", old);
        for key in ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"] {
            match (
                needs_address(decoded),
                decoded.get(&["spec", key]),
                old.get(&["spec", key]),
            ) {
                (true, None, Some(value)) => decoded.set(arena, &["spec", key], value),
                (false, Some(value), Some(before)) if value == before => decoded.unset(arena, &["spec", key]),
                _ => {}
            }
        }
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        change.validate_metadata(errors);
        if change.subresource == "status" {
            return;
        }
        if change.old.is_some() {
            change.validate_new_metadata(errors);
        }
        let kind = text(change.get(&["spec", "type"]));
        if !TYPES.contains(&kind) {
            errors.push(not_supported(&SPEC.child("type"), kind, &TYPES));
        }
        let is_headless = text(change.get(&["spec", "clusterIP"])) == "None";
        let ports = items(change.get(&["spec", "ports"]));
        if ports.is_empty() && !is_headless && kind != "ExternalName" {
            errors.push(required(&SPEC.child("ports"), ""));
        }
        validate_ports(ports, errors);
        let affinity = text(change.get(&["spec", "sessionAffinity"]));
        if !matches!(affinity, "ClientIP" | "None") {
            let known = ["ClientIP", "None"];
            errors.push(not_supported(&SPEC.child("sessionAffinity"), affinity, &known));
        }
        let selector = entries(change.get(&["spec", "selector"]));
        validate_labels(selector, &SPEC.child("selector"), errors);
    }

    /// Fills in the addresses and their families, which is what the registry's allocators do to a valid service.
    fn canonicalize<'a>(&self, arena: &'a Arena, decoded: &mut DecodedObject<'a>) {
        if !needs_address(decoded) {
            return;
        }
        let address = text(decoded.get(&["spec", "clusterIP"]));
        if address.is_empty() {
            return;
        }
        let one = |value: &'a str| Value::Array(arena.alloc_slice_copy(&[Value::Str(value)]));
        if items(decoded.get(&["spec", "clusterIPs"])).is_empty() {
            decoded.set(arena, &["spec", "clusterIPs"], one(address));
        }
        let is_open = address == "None" && entries(decoded.get(&["spec", "selector"])).is_empty();
        if items(decoded.get(&["spec", "ipFamilies"])).is_empty() {
            let families = match is_open {
                true => Value::Array(arena.alloc_slice_copy(&[Value::Str("IPv4"), Value::Str("IPv6")])),
                false => one("IPv4"),
            };
            decoded.set(arena, &["spec", "ipFamilies"], families);
        }
        if text(decoded.get(&["spec", "ipFamilyPolicy"])).is_empty() {
            let policy = if is_open {
                "RequireDualStack"
            } else {
                "SingleStack"
            };
            decoded.set(arena, &["spec", "ipFamilyPolicy"], Value::Str(policy));
        }
    }
}

fn needs_address(decoded: &DecodedObject<'_>) -> bool {
    text(decoded.get(&["spec", "type"])) != "ExternalName"
}

/// An address of the cluster's network that follows from a uid.
fn address(uid: &str) -> String {
    let digits = uid.bytes().filter_map(|byte| char::from(byte).to_digit(16));
    let number = digits.fold(1_u32, |number, digit| number.wrapping_mul(31).wrapping_add(digit));
    let host = 1 + number % 0xf_fffe;
    format!("10.{}.{}.{}", 96 + (host >> 16), (host >> 8) & 0xff, host & 0xff)
}

fn default_affinity<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    let mut object = object;
    let config = ["spec", "sessionAffinityConfig"];
    let seconds = ["spec", "sessionAffinityConfig", "clientIP", "timeoutSeconds"];
    match text(object.lookup(&["spec", "sessionAffinity"])) {
        "ClientIP" if object.lookup(&seconds).is_none_or(Value::is_null) => {
            object.set(arena, &seconds, Value::Int(10800));
        }
        "None" | "" if object.lookup(&config).is_some() => {
            object.unset(arena, &config);
        }
        _ => {}
    }
    object
}

fn validate_ports(ports: &[Value<'_>], errors: &mut Vec<FieldError>) {
    let list = SPEC.child("ports");
    let mut names = HashSet::new();
    let mut seen = HashSet::new();
    for (index, port) in ports.iter().enumerate() {
        let path = list.index(index);
        let name = text(port.get("name"));
        match name {
            "" if ports.len() > 1 => errors.push(required(&path.child("name"), "")),
            "" => {}
            name => {
                NameRule::Label.validate(name, &path.child("name"), errors);
                if !names.insert(name) {
                    errors.push(duplicate(&path.child("name"), name));
                }
            }
        }
        port_number(&path.child("port"), number(port.get("port")), errors);
        let protocol = text(port.get("protocol"));
        if !matches!(protocol, "TCP" | "UDP" | "SCTP") {
            let known = ["SCTP", "TCP", "UDP"];
            errors.push(not_supported(&path.child("protocol"), protocol, &known));
        }
        if let Some(target) = port.get("targetPort").and_then(Value::as_i64) {
            port_number(&path.child("targetPort"), target, errors);
        }
        let key = (number(port.get("port")), protocol);
        if !seen.insert(key) {
            let mut error = duplicate(&path, "");
            let json = format!("{{\"Port\":{},\"Protocol\":\"{protocol}\"}}", key.0);
            error.bad = kindsmith_object::BadValue::Json(json.into());
            errors.push(error);
        }
    }
}

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let cluster_ip = row.items("spec.clusterIPs").first().and_then(|ip| ip.as_str());
    let ports = row.items("spec.ports").iter().map(|port| {
        let number = |key: &str| port.get(key).and_then(Value::as_i64).unwrap_or_default();
        let protocol = text_of(*port, "protocol");
        match number("nodePort") {
            0 => format!("{}/{protocol}", number("port")),
            node_port => format!("{}:{node_port}/{protocol}", number("port")),
        }
    });
    let ports = ports.collect::<Vec<_>>().join(",");
    vec![
        row.name(),
        Value::Str(row.text("spec.type")),
        Value::Str(cluster_ip.unwrap_or("<none>")),
        row.cell(&external_ip(row)),
        row.cell(if ports.is_empty() { "<none>" } else { &ports }),
        row.age(),
        row.labels("spec.selector"),
    ]
}

fn external_ip(row: &Row<'_>) -> String {
    let mut ips: Vec<&str> = Vec::new();
    let fallback = match row.text("spec.type") {
        "ClusterIP" | "NodePort" => "<none>",
        "LoadBalancer" => {
            let ingress = row.items("status.loadBalancer.ingress").iter();
            let balancers: BTreeSet<&str> = ingress
                .filter_map(|point| {
                    [text_of(*point, "ip"), text_of(*point, "hostname")]
                        .into_iter()
                        .find(|text| !text.is_empty())
                })
                .collect();
            ips.extend(balancers);
            "<pending>"
        }
        "ExternalName" => return row.text("spec.externalName").to_owned(),
        _ => return "<unknown>".to_owned(),
    };
    ips.extend(row.items("spec.externalIPs").iter().filter_map(|ip| ip.as_str()));
    if ips.is_empty() {
        fallback.to_owned()
    } else {
        ips.join(",")
    }
}
