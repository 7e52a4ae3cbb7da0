//! Services (pkg/registry/core/service).

mod addresses;
mod allocate;
mod update;
mod validate;

use std::collections::BTreeSet;

use kindsmith_json::{Arena, Value};
use kindsmith_object::meta::NameRule;
use kindsmith_object::{FieldError, Gate, Release};

use crate::edit::{each, member};
use crate::field_check::{items, number, text};
use crate::table::{Heading, Row, Table, column, text_of};
use crate::{Change, DecodedObject, Names, Preparation, Refusal, Strategy, Subresource};

#[derive(Debug)]
pub(crate) struct Service;

const PARTS: &[Subresource] = &[Subresource::proxy("ServiceProxyOptions"), Subresource::STATUS];

/// Which names services have in a release.
pub(in crate::kind) fn service_name_rule(release: Release) -> NameRule {
    if release.enables(Gate::RelaxedServiceNameValidation) {
        NameRule::Label
    } else {
        NameRule::OldLabel
    }
}

impl Strategy for Service {
    fn table(&self, _: &Names) -> Table {
        Table {
            headings: HEADINGS,
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

    /// Older servers required a DNS label that starts with a letter.
    fn name_rule(&self) -> NameRule {
        NameRule::Label
    }

    fn name_rule_in(&self, release: Release) -> NameRule {
        service_name_rule(release)
    }

    fn short_names(&self) -> &'static [&'static str] {
        &["svc"]
    }

    fn categories(&self) -> &'static [&'static str] {
        &["all"]
    }

    fn subresources(&self) -> &'static [Subresource] {
        PARTS
    }

    fn creates_on_update(&self) -> bool {
        true
    }

    fn reset_fields(&self, subresource: &str) -> &'static [&'static [&'static str]] {
        match subresource {
            "status" => &[&["spec"]],
            _ => &[&["status"]],
        }
    }

    fn default<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let mut object = object;
        member(arena, &mut object, &["spec"], |spec| default_spec(arena, spec));
        if text(object.lookup(&["spec", "type"])) == "LoadBalancer" {
            member(arena, &mut object, &["status", "loadBalancer"], |balancer| {
                let mut balancer = balancer;
                each(arena, &mut balancer, "ingress", |point| {
                    default_point(arena, point)
                });
                balancer
            });
        }
        object
    }

    fn begin<'a>(
        &self,
        preparation: &Preparation<'_, 'a>,
        decoded: &mut DecodedObject<'a>,
    ) -> Result<(), Refusal> {
        match preparation.subresource {
            "" => allocate::allocate(preparation, decoded),
            _ => Ok(()),
        }
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, decoded: &mut DecodedObject<'a>) {
        let arena = preparation.arena;
        let Some(old) = preparation.old else {
            decoded.object.remove(arena, "status");
            return;
        };
        if preparation.subresource == "status" {
            return decoded.restore(arena, "spec", old);
        }
        decoded.restore(arena, "status", old);
        update::drop_unused(arena, decoded, old);
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        change.validate_metadata(errors);
        match change.subresource {
            "status" => validate::validate_status(change, errors),
            _ => validate::validate_service(change, errors),
        }
    }

    fn warnings(&self, change: &Change<'_>) -> Vec<String> {
        match change.subresource {
            "status" => validate::status_warnings(change),
            _ => validate::warnings(change),
        }
    }

    /// `internalTrafficPolicy` has no meaning for ExternalName services.
    fn canonicalize<'a>(&self, arena: &'a Arena, decoded: &mut DecodedObject<'a>) {
        if text(decoded.get(&["spec", "type"])) == "ExternalName" {
            decoded.unset(arena, &["spec", "internalTrafficPolicy"]);
        }
    }
}

fn default_spec<'a>(arena: &'a Arena, spec: Value<'a>) -> Value<'a> {
    let mut spec = spec;
    each(arena, &mut spec, "ports", |port| {
        let is_open = matches!(
            port.get("targetPort"),
            None | Some(Value::Null | Value::Int(0) | Value::Str(""))
        );
        is_open.then(|| {
            let mut port = port;
            port.set(arena, &["targetPort"], Value::Int(number(port.get("port"))));
            port
        })
    });
    let kind = match text(spec.get("type")) {
        "" => "ClusterIP",
        kind => kind,
    };
    if matches!(kind, "ClusterIP" | "NodePort" | "LoadBalancer") {
        // An empty policy is invalid; a missing one is not.
        if spec.get("internalTrafficPolicy").is_none_or(Value::is_null) {
            spec.set(arena, &["internalTrafficPolicy"], Value::Str("Cluster"));
        }
    }
    let is_outside = match kind {
        "NodePort" | "LoadBalancer" => true,
        "ClusterIP" => !items(spec.get("externalIPs")).is_empty(),
        _ => false,
    };
    let mut fill = |key: &'static str, value: Value<'a>| {
        let is_open = spec
            .get(key)
            .is_none_or(|value| matches!(value, Value::Null | Value::Str("")));
        if is_open {
            spec.set(arena, &[key], value);
        }
    };
    if is_outside {
        fill("externalTrafficPolicy", Value::Str("Cluster"));
    }
    if kind == "LoadBalancer" {
        fill("allocateLoadBalancerNodePorts", Value::Bool(true));
    }
    default_affinity(arena, &mut spec);
    spec
}

fn default_affinity<'a>(arena: &'a Arena, spec: &mut Value<'a>) {
    let seconds = ["sessionAffinityConfig", "clientIP", "timeoutSeconds"];
    match text(spec.get("sessionAffinity")) {
        "ClientIP" if spec.lookup(&seconds).is_none_or(Value::is_null) => {
            spec.unset(arena, &seconds[..1]);
            spec.set(arena, &seconds, Value::Int(10800));
        }
        "None" | "" if spec.get(seconds[0]).is_some() => {
            spec.unset(arena, &seconds[..1]);
        }
        _ => {}
    }
}

/// `ipMode` of a load balancer's address defaults to `VIP`.
fn default_point<'a>(arena: &'a Arena, point: Value<'a>) -> Option<Value<'a>> {
    let is_open = point.get("ipMode").is_none_or(Value::is_null);
    (is_open && !text(point.get("ip")).is_empty()).then(|| {
        let mut point = point;
        point.set(arena, &["ipMode"], Value::Str("VIP"));
        point
    })
}

const HEADINGS: &[Heading] = &[
    column::NAME,
    column::text("Type", "core/v1.ServiceSpec.type"),
    column::text("Cluster-IP", "core/v1.ServiceSpec.clusterIP"),
    column::text("External-IP", "core/v1.ServiceSpec.externalIPs"),
    column::text("Port(s)", "core/v1.ServiceSpec.ports"),
    column::AGE,
    column::wide("Selector", "core/v1.ServiceSpec.selector"),
];

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
