//! The rules of services (`validateService` and `ValidateServiceUpdate` in pkg/apis/core/validation/validation.go).

use std::collections::HashSet;

use kindsmith_gostd::ip;
use kindsmith_json::{Path, Value};
use kindsmith_object::meta::{NameRule, validate_labels};
use kindsmith_object::{BadValue, Behavior, ErrorKind, FieldError};

use super::addresses::{Addresses, wrong_policy};
use super::update::{is_outside, needs_health_check};
use crate::Change;
use crate::field::{Errors, Field};
use crate::field_check::{entries, forbidden, invalid, invalid_text, items, required, text};
use crate::part::address::{address_warning, check_address, check_cidr, cidr_warnings};
use crate::part::endpoint::check_reachable;
use crate::types::words;

const HINTS: &str = "service.kubernetes.io/topology-aware-hints";
const MODE: &str = "service.kubernetes.io/topology-mode";
const RANGES: &str = "service.beta.kubernetes.io/load-balancer-source-ranges";
const ONLY_BALANCED: &str = "may only be used when `type` is 'LoadBalancer'";

pub(super) fn validate_service(change: &Change<'_>, errors: &mut Errors) {
    let addresses = Addresses::of(change.new, change.release);
    let old = change.old.map(|old| Addresses::of(old, change.release));
    if let Some(old) = &old {
        validate_change(change, &addresses, old, errors);
    }
    let spec = Field::root(change, "spec");
    validate_hints(change, errors);
    validate_type(&spec, &addresses, errors);
    let ports = spec.child("ports");
    validate_ports(&ports, errors);
    validate_labels(
        entries(spec.child("selector").value),
        &spec.path.child("selector"),
        errors,
    );
    validate_affinity(&spec, errors);
    addresses.check(old.as_ref(), errors);
    validate_external(change, &spec, errors);
    let kind = spec.child("type");
    match kind.text() {
        "" => kind.required("", errors),
        _ => kind.one_of(words("core/v1.ServiceType"), errors),
    }
    validate_node_ports(&ports, addresses.kind, errors);
    validate_duplicates(&ports, errors);
    validate_sources(change, &spec, errors);
    let allocates = spec.child("allocateLoadBalancerNodePorts");
    if allocates.is_set() && addresses.kind != "LoadBalancer" {
        allocates.forbidden(ONLY_BALANCED, errors);
    }
    if !allocates.is_set() && addresses.kind == "LoadBalancer" {
        errors.push(required(&Path::root("allocateLoadBalancerNodePorts"), ""));
    }
    validate_class(&spec, errors);
    validate_traffic(change, &spec, errors);
}

/// Addresses and families stay, but for a second one that comes or goes.
fn validate_change(change: &Change<'_>, new: &Addresses<'_>, old: &Addresses<'_>, errors: &mut Errors) {
    let spec = Field::root(change, "spec");
    if !new.is_external() && !old.is_external() {
        if !(new.is_headless() && old.is_headless()) {
            validate_ip_change(&spec.child("clusterIPs"), new, old, errors);
        }
        if !new.is_headless() && !old.is_headless() {
            validate_family_change(&spec.child("ipFamilies"), new, old, errors);
        }
    }
    if new.kind == "LoadBalancer" && old.kind == "LoadBalancer" {
        let class = spec.child("loadBalancerClass");
        let before = change.get_old(&["spec", "loadBalancerClass"]);
        if class.value != before {
            class.invalid("may not change once set", errors);
        }
    }
    validate_class(&spec, errors);
    let port = spec.child("healthCheckNodePort");
    let needs_both = needs_health_check(change.new) && change.old.is_some_and(needs_health_check);
    let before = change.get_old(&["spec", "healthCheckNodePort"]);
    if needs_both && port.value != before {
        port.forbidden("field is immutable", errors);
    }
}

const MAY_NOT_CHANGE: &str = "may not change once set";

fn validate_ip_change(field: &Field<'_, '_>, new: &Addresses<'_>, old: &Addresses<'_>, errors: &mut Errors) {
    let first = field.path.index(0);
    let is_moved = old.ips.first() != new.ips.first() && !old.ips.is_empty();
    let mut refuse = |path: &Path<'_>, detail: &str| {
        errors.push(invalid(path, new.ips_shown(), detail));
    };
    if old.ips.len() == new.ips.len() {
        for (index, _) in old
            .ips
            .iter()
            .zip(&new.ips)
            .enumerate()
            .filter(|(_, (old, new))| old != new)
        {
            refuse(&field.path.index(index), MAY_NOT_CHANGE);
        }
        return;
    }
    if new.ips.is_empty() {
        refuse(&first, "primary clusterIP can not be unset");
    } else if is_moved {
        refuse(&first, MAY_NOT_CHANGE);
    }
    if old.ips.len() > new.ips.len() && new.ips.len() == 1 && new.policy != Some("SingleStack") {
        let detail = "must be set to 'SingleStack' when releasing the secondary clusterIP";
        errors.push(wrong_policy(new.policy, detail));
    }
}

fn validate_family_change(
    field: &Field<'_, '_>,
    new: &Addresses<'_>,
    old: &Addresses<'_>,
    errors: &mut Errors,
) {
    let first = field.path.index(0);
    if old.families.len() == new.families.len() {
        for _ in old
            .families
            .iter()
            .zip(&new.families)
            .filter(|(old, new)| old != new)
        {
            errors.push(invalid(&first, new.families_shown(), MAY_NOT_CHANGE));
        }
        return;
    }
    let is_less = old.families.len() > new.families.len();
    if is_less && new.ips.is_empty() {
        let detail = "primary ipFamily can not be unset";
        errors.push(invalid(&first, new.families_shown(), detail));
    }
    let is_moved = !new.families.is_empty() && !old.families.is_empty() && new.families[0] != old.families[0];
    if is_moved {
        // The reference shows the addresses here.
        errors.push(invalid(&first, new.ips_shown(), MAY_NOT_CHANGE));
    }
    if is_less && new.families.len() == 1 && new.policy != Some("SingleStack") {
        let detail = "must be set to 'SingleStack' when releasing the secondary ipFamily";
        errors.push(wrong_policy(new.policy, detail));
    }
}

fn validate_hints(change: &Change<'_>, errors: &mut Errors) {
    let note = |key: &str| change.get(&["metadata", "annotations", key]);
    if let (Some(mode), Some(hints)) = (note(MODE), note(HINTS))
        && mode != hints
    {
        let metadata = Path::root("metadata");
        let path = metadata.child("annotations");
        let detail = format!("must match annotations[{HINTS}] when both are specified");
        errors.push(invalid_text(&path.key(MODE), text(Some(mode)), detail));
    }
}

fn validate_type(spec: &Field<'_, '_>, addresses: &Addresses<'_>, errors: &mut Errors) {
    let ports = spec.child("ports");
    if ports.len() == 0 && !addresses.is_headless() && !addresses.is_external() {
        ports.required("", errors);
    }
    let kind = addresses.kind;
    match kind {
        "LoadBalancer" | "NodePort" if addresses.is_headless() => {
            let path = spec.path.child("clusterIPs");
            let detail = format!("may not be set to 'None' for {kind} services");
            errors.push(invalid_text(&path.index(0), "None", detail));
        }
        "ExternalName" => {
            for key in ["clusterIPs", "ipFamilies", "ipFamilyPolicy"] {
                let field = spec.child(key);
                if field.len() > 0 || key == "ipFamilyPolicy" && field.is_set() {
                    field.forbidden("may not be set for ExternalName services", errors);
                }
            }
            let name = spec.child("externalName");
            let trimmed = name.text().strip_suffix('.').unwrap_or(name.text());
            match trimmed {
                "" => name.required("", errors),
                trimmed => NameRule::Subdomain.validate(trimmed, &name.path, errors),
            }
        }
        _ => {}
    }
}

fn validate_ports(ports: &Field<'_, '_>, errors: &mut Errors) {
    let mut names = HashSet::new();
    for port in ports.items() {
        let name = port.child("name");
        match name.text() {
            "" if ports.len() > 1 => name.required("", errors),
            "" => {}
            text => {
                name.name(NameRule::Label, errors);
                if !names.insert(text) {
                    name.duplicate(errors);
                }
            }
        }
        port.child("port").port_number(errors);
        let protocol = port.child("protocol");
        match protocol.text() {
            "" => protocol.required("", errors),
            _ => protocol.one_of(words("core/v1.Protocol"), errors),
        }
        let target = port.child("targetPort");
        match target.value {
            Some(Value::Str(_)) => target.port_name(errors),
            _ => target.port_number(errors),
        }
        let application = port.child("appProtocol");
        if application.is_set() {
            application.label_key(errors);
        }
    }
}

fn validate_affinity(spec: &Field<'_, '_>, errors: &mut Errors) {
    const LIMIT: i64 = 86400;
    let (affinity, config) = (spec.child("sessionAffinity"), spec.child("sessionAffinityConfig"));
    match affinity.text() {
        "" => affinity.required("", errors),
        "None" if config.is_set() => {
            config.forbidden("must not be set when session affinity is None", errors);
        }
        "ClientIP" => {
            let client = config.child("clientIP");
            let seconds = client.child("timeoutSeconds");
            for field in [config, client, seconds] {
                if !field.is_set() {
                    return field.required("when session affinity type is ClientIP", errors);
                }
            }
            if !(1..=LIMIT).contains(&seconds.number()) {
                let detail = format!("must be greater than 0 and less than {LIMIT}");
                seconds.invalid(detail, errors);
            }
        }
        _ => affinity.one_of(words("core/v1.ServiceAffinity"), errors),
    }
}

/// Addresses outside the cluster must be such that somebody can have them.
fn validate_external(change: &Change<'_>, spec: &Field<'_, '_>, errors: &mut Errors) {
    let known = texts(change.get_old(&["spec", "externalIPs"]));
    for address in spec.child("externalIPs").items() {
        let before = errors.len();
        check_address(&address, &known, errors);
        if errors.len() == before {
            check_reachable(&address, errors);
        }
    }
}

fn validate_node_ports(ports: &Field<'_, '_>, kind: &str, errors: &mut Errors) {
    let mut seen = HashSet::new();
    for port in ports.items() {
        let node_port = port.child("nodePort");
        if kind == "ClusterIP" && node_port.number() != 0 {
            node_port.forbidden("may not be used when `type` is 'ClusterIP'", errors);
        }
    }
    for port in ports.items() {
        let node_port = port.child("nodePort");
        let key = (port.child("protocol").text(), node_port.number());
        if key.1 != 0 && !seen.insert(key) {
            errors.push(again(&node_port.path, node_port.shown()));
        }
    }
}

fn validate_duplicates(ports: &Field<'_, '_>, errors: &mut Errors) {
    let mut seen = HashSet::new();
    for port in ports.items() {
        let key = (port.child("port").number(), port.child("protocol").text());
        if !seen.insert(key) {
            let shown = format!(
                r#"{{"Name":"","Protocol":{},"AppProtocol":null,"Port":{},"TargetPort":0,"NodePort":0}}"#,
                kindsmith_json::to_string(Value::Str(key.1)),
                key.0
            );
            errors.push(again(&port.path, BadValue::Json(shown.into())));
        }
    }
}

/// A value that is there twice.
fn again(path: &Path<'_>, bad: BadValue) -> FieldError {
    FieldError::new(
        ErrorKind::Duplicate,
        path.to_owned(),
        bad,
        kindsmith_object::Detail::None,
    )
}

/// Ranges that may use a load balancer, from the field or the older annotation. Spaces around them are allowed.
fn validate_sources(change: &Change<'_>, spec: &Field<'_, '_>, errors: &mut Errors) {
    let is_balanced = text(change.get(&["spec", "type"])) == "LoadBalancer";
    let ranges = spec.child("loadBalancerSourceRanges");
    let note = ["metadata", "annotations", RANGES];
    if ranges.len() > 0 {
        let path = spec.path.child("LoadBalancerSourceRanges");
        if !is_balanced {
            errors.push(forbidden(&path, ONLY_BALANCED));
        }
        let known = texts(change.get_old(&["spec", "loadBalancerSourceRanges"]));
        let known: Vec<&str> = known.iter().map(|range| range.trim()).collect();
        for (index, range) in texts(ranges.value).iter().enumerate() {
            let range = Field {
                path: path.index(index),
                value: Some(Value::Str(range.trim())),
                release: change.release,
            };
            check_cidr(&range, &known, errors);
        }
    } else if let Some(noted) = change.get(&note) {
        let metadata = Path::root("metadata");
        let annotations = metadata.child("annotations");
        let path = annotations.key(RANGES);
        if !is_balanced {
            errors.push(forbidden(&path, ONLY_BALANCED));
        }
        let noted_text = text(Some(noted)).trim();
        if noted_text.is_empty() || change.get_old(&note) == Some(noted) {
            return;
        }
        for range in noted_text.split(',') {
            let range = Field {
                path,
                value: Some(Value::Str(range.trim())),
                release: change.release,
            };
            check_cidr(&range, &[], errors);
        }
    }
}

fn validate_class(spec: &Field<'_, '_>, errors: &mut Errors) {
    let class = spec.child("loadBalancerClass");
    match (class.is_set(), spec.child("type").text()) {
        (false, _) => {}
        (true, "LoadBalancer") => class.label_key(errors),
        (true, _) => class.forbidden(ONLY_BALANCED, errors),
    }
}

fn validate_traffic(change: &Change<'_>, spec: &Field<'_, '_>, errors: &mut Errors) {
    let outside = spec.child("externalTrafficPolicy");
    match (is_outside(change.new), outside.text()) {
        (false, "") => {}
        (false, _) => outside.invalid("may only be set for externally-accessible services", errors),
        (true, "") => outside.required("", errors),
        (true, _) => outside.one_of(words("core/v1.ServiceExternalTrafficPolicy"), errors),
    }
    let port = spec.child("healthCheckNodePort");
    match (needs_health_check(change.new), port.number()) {
        (false, 0) => {}
        (false, _) => {
            let detail =
                "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
            port.invalid(detail, errors);
        }
        (true, 0) => port.required("", errors),
        (true, _) => port.port_number(errors),
    }
    let inside = spec.child("internalTrafficPolicy");
    let is_inside = matches!(
        spec.child("type").text(),
        "NodePort" | "LoadBalancer" | "ClusterIP"
    );
    match inside.is_set() {
        true => inside.one_of(words("core/v1.ServiceInternalTrafficPolicy"), errors),
        false if is_inside => inside.required("", errors),
        false => {}
    }
    let distribution = spec.child("trafficDistribution");
    if distribution.is_set() {
        distribution.one_of(&["PreferClose", "PreferSameZone", "PreferSameNode"], errors);
    }
}

/// Checks where a load balancer can be reached.
pub(super) fn validate_status(change: &Change<'_>, errors: &mut Errors) {
    let status = Field::root(change, "status");
    let balancer = status.child("loadBalancer");
    let points = balancer.child("ingress");
    if text(change.get(&["spec", "type"])) != "LoadBalancer" {
        if points.len() > 0 {
            points.forbidden("may only be used when `spec.type` is 'LoadBalancer'", errors);
        }
        return;
    }
    let before = items(change.get_old(&["status", "loadBalancer", "ingress"])).iter();
    let known: Vec<&str> = before.map(|point| text(point.get("ip"))).collect();
    for point in points.items() {
        let (address, mode, host) = (point.child("ip"), point.child("ipMode"), point.child("hostname"));
        let has_address = !address.text().is_empty();
        if has_address {
            check_address(&address, &known, errors);
        }
        match (mode.is_set(), has_address) {
            (false, true) => mode.required("must be specified when `ip` is set", errors),
            (true, false) => mode.forbidden("may not be specified when `ip` is not set", errors),
            (true, true) => mode.one_of(words("core/v1.LoadBalancerIPMode"), errors),
            (false, false) => {}
        }
        if !host.text().is_empty() {
            host.name(NameRule::Subdomain, errors);
            if ip::parse_sloppy(host.text()).is_some() {
                host.invalid("must be a DNS name, not an IP address", errors);
            }
        }
    }
}

pub(super) fn status_warnings(change: &Change<'_>) -> Vec<String> {
    let status = Field::root(change, "status");
    let balancer = status.child("loadBalancer");
    let points = balancer.child("ingress");
    let warnings = points.items().filter_map(|point| {
        let address = Field {
            path: point.path,
            value: point.child("ip").value,
            release: change.release,
        };
        address_warning(&address).filter(|_| !address.text().is_empty())
    });
    warnings.collect()
}

pub(super) fn warnings(change: &Change<'_>) -> Vec<String> {
    let spec = Field::root(change, "spec");
    let addresses = Addresses::of(change.new, change.release);
    let mut warnings = Vec::new();
    let mut warn = |text: &str| warnings.push(text.to_owned());
    if change.get(&["metadata", "annotations", HINTS]).is_some() {
        warn(&format!(
            "annotation {HINTS} is deprecated, please use {MODE} instead"
        ));
    }
    if !matches!(addresses.ip, "" | "None") {
        for address in spec.child("clusterIPs").items() {
            address_warning(&address).iter().for_each(|text| warn(text));
        }
    }
    let (outside, balancer) = (spec.child("externalIPs"), spec.child("loadBalancerIP"));
    let is_headless = addresses.kind == "ClusterIP" && addresses.ip == "None";
    if is_headless {
        if !balancer.text().is_empty() {
            warn("spec.loadBalancerIP is ignored for headless services");
        }
        if outside.len() > 0 {
            warn("spec.externalIPs is ignored for headless services");
        }
        if spec.child("sessionAffinity").text() != "None" {
            warn("spec.SessionAffinity is ignored for headless services");
        }
    }
    for address in outside.items() {
        address_warning(&address).iter().for_each(|text| warn(text));
    }
    let is_deprecated = change.release.has(Behavior::ExternalAddressesDeprecated);
    if is_deprecated && outside.len() > 0 && !is_headless && !addresses.is_external() {
        warn("spec.externalIPs is deprecated and may no longer be implemented in some clusters");
    }
    if !balancer.text().is_empty() {
        address_warning(&balancer).iter().for_each(|text| warn(text));
    }
    for range in spec.child("loadBalancerSourceRanges").items() {
        cidr_warnings(&range).iter().for_each(|text| warn(text));
    }
    if addresses.is_external() && outside.len() > 0 {
        warn(r#"spec.externalIPs is ignored when spec.type is "ExternalName""#);
    }
    if !addresses.is_external() && !spec.child("externalName").text().is_empty() {
        warn(r#"spec.externalName is ignored when spec.type is not "ExternalName""#);
    }
    if spec.child("trafficDistribution").text() == "PreferClose"
        && spec.release.has(Behavior::PreferCloseDeprecated)
    {
        warn(r#"spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone""#);
    }
    warnings
}

fn texts(list: Option<Value<'_>>) -> Vec<&str> {
    items(list).iter().map(|value| text(Some(*value))).collect()
}
