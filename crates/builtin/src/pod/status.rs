//! Status of pods (`ValidatePodStatusUpdate` in pkg/apis/core/validation/validation.go).

use std::collections::{HashMap, HashSet};

use kindsmith_json::Value;
use kindsmith_object::Behavior;
use kindsmith_object::meta::NameRule;

use super::annotation;
use super::spec::annotations;
use crate::Change;
use crate::field::{Errors, Field};
use crate::field_check::{entries, immutable, invalid, items, text, too_long};
use crate::go_value::internal::{self, CORE};
use crate::part::address::{address_warning, check_address};
use crate::types::words;

const CONTAINERS: [(&str, &str); 3] = [
    ("containerStatuses", "containers"),
    ("initContainerStatuses", "initContainers"),
    ("ephemeralContainerStatuses", "ephemeralContainers"),
];

/// Checks an update of a pod's status.
pub(crate) fn validate_status(change: &Change<'_>, errors: &mut Errors) {
    change.validate_metadata(errors);
    let old_annotations = change.old.map(|old| old.meta.annotations).unwrap_or_default();
    let annotations = annotations(change);
    annotation::check_unchanged(&annotations, old_annotations, errors);
    let spec = Field::root(change, "spec");
    annotation::check_annotations(&annotations, &spec, errors);
    let (status, old) = (Field::root(change, "status"), Field::old_root(change, "status"));
    check_conditions(&status.child("conditions"), errors);
    check_nominated(&status, &old, &spec, errors);
    if status.child("observedGeneration").number() < 0 {
        let detail = "must be a non-negative integer";
        status.child("observedGeneration").invalid(detail, errors);
    }
    let (class, old_class) = (
        status.child("qosClass").or_empty(),
        old.child("qosClass").or_empty(),
    );
    if class.text() != old_class.text() {
        immutable(&class.path, class.shown(), errors);
    }
    check_ends(&status, &old, &Field::old_root(change, "spec"), errors);
    check_claims(&status, &spec, errors);
    check_pod_addresses(&status, &old, errors);
    check_host_addresses(&status, &old, errors);
    for (key, list) in CONTAINERS {
        let statuses = status.child(key);
        check_users(&statuses, &spec, errors);
        check_allocated(&statuses, &spec.child(list), &status, errors);
    }
}

/// Warnings for a valid status.
pub(crate) fn status_warnings(change: &Change<'_>) -> Vec<String> {
    let status = Field::root(change, "status");
    let mut warnings = Vec::new();
    for key in ["podIPs", "hostIPs"] {
        for address in status.child(key).items() {
            warnings.extend(address_warning(&address.child("ip").or_empty()));
        }
    }
    warnings
}

fn check_conditions(conditions: &Field<'_, '_>, errors: &mut Errors) {
    for condition in conditions.items() {
        let generation = condition.child("observedGeneration");
        if generation.number() < 0 {
            generation.invalid("must be a non-negative integer", errors);
        }
        let kind = condition.child("type").or_empty();
        if !matches!(kind.text(), "PodScheduled" | "Ready" | "Initialized") {
            kind.at(condition.path.child("Type")).label_key(errors);
        }
    }
}

/// `nominatedNodeName` must be a valid name, and cannot be set on pods that are already bound to a node.
fn check_nominated(status: &Field<'_, '_>, old: &Field<'_, '_>, spec: &Field<'_, '_>, errors: &mut Errors) {
    let node = status.child("nominatedNodeName");
    if node.is_blank() || node.text() == old.child("nominatedNodeName").text() {
        return;
    }
    node.name(NameRule::Subdomain, errors);
    if !spec.child("nodeName").is_blank() {
        node.forbidden("may not be set on pods that are already bound to a node", errors);
    }
}

/// A terminated container must not run again unless its restart policy allows it.
fn check_ends(status: &Field<'_, '_>, old: &Field<'_, '_>, spec: &Field<'_, '_>, errors: &mut Errors) {
    if restarts_all(spec) {
        return;
    }
    for (key, list) in CONTAINERS {
        let (new, old) = (status.child(key), old.child(key));
        let containers = spec.child(list);
        for (index, was) in old.items().enumerate() {
            let (name, state) = (was.child("name").text(), was.child("state"));
            let end = state.child("terminated");
            let is_back = |new: &Field<'_, '_>| {
                new.child("name").text() == name && !new.child("state").child("terminated").is_set()
            };
            if !end.is_set() || !new.items().any(|new| is_back(&new)) {
                continue;
            }
            let container = containers
                .items()
                .find(|container| container.child("name").text() == name);
            let code = end.child("exitCode").number();
            let restarts = key != "ephemeralContainerStatuses"
                && container.is_some_and(|container| restarts(&container, spec, code));
            if !restarts {
                let place = new.path.index(index);
                let path = place.child("state");
                let detail = "may not be transitioned to non-terminated state";
                errors.push(crate::field_check::forbidden(&path, detail));
            }
        }
    }
}

/// Whether any restart rule restarts all containers.
fn restarts_all(spec: &Field<'_, '_>) -> bool {
    let lists = ["containers", "initContainers"].map(|key| spec.child(key));
    lists.iter().any(|list| {
        list.items().any(|container| {
            let rules = container.child("restartPolicyRules");
            rules
                .items()
                .any(|rule| rule.child("action").text() == "RestartAllContainers")
        })
    })
}

/// Whether a container restarts after this exit code.
fn restarts(container: &Field<'_, '_>, spec: &Field<'_, '_>, code: i64) -> bool {
    for rule in container.child("restartPolicyRules").items() {
        let codes = rule.child("exitCodes");
        let is_listed = items(codes.child("values").value).contains(&Value::from(code));
        let fits = match codes.child("operator").text() {
            "In" => is_listed,
            "NotIn" => !is_listed,
            _ => false,
        };
        if fits && rule.child("action").text() == "Restart" {
            return true;
        }
    }
    let own = container.child("restartPolicy");
    let policy = if own.is_set() {
        own.text()
    } else {
        spec.child("restartPolicy").text()
    };
    match policy {
        "Always" => true,
        "OnFailure" => code != 0,
        _ => false,
    }
}

fn check_claims(status: &Field<'_, '_>, spec: &Field<'_, '_>, errors: &mut Errors) {
    let claims = spec.child("resourceClaims");
    let known: HashSet<&str> = claims.items().map(|claim| claim.child("name").text()).collect();
    let mut seen = HashSet::new();
    for claim in status.child("resourceClaimStatuses").items() {
        let name = claim.child("name").or_empty();
        if !known.contains(name.text()) {
            name.invalid("must match the name of an entry in `spec.resourceClaims`", errors);
        }
        if !seen.insert(name.text()) {
            name.duplicate(errors);
        }
        let made = claim.child("resourceClaimName");
        if made.is_set() {
            made.name(NameRule::Subdomain, errors);
        }
    }
    let extended = status.child("extendedResourceClaimStatus");
    if extended.is_set() {
        check_extended(&extended, spec, errors);
    }
}

/// The claim for extended resources lists the requests that it satisfies.
fn check_extended(extended: &Field<'_, '_>, spec: &Field<'_, '_>, errors: &mut Errors) {
    let mut requests: HashMap<&str, Vec<&str>> = HashMap::new();
    for key in ["initContainers", "containers"] {
        for container in spec.child(key).items() {
            let resources = container.child("resources");
            let names = entries(resources.child("requests").value).keys().collect();
            requests.insert(container.child("name").text(), names);
        }
    }
    let mappings = extended.child("requestMappings");
    if mappings.len() == 0 {
        mappings.required("at least one request mapping is required", errors);
    }
    let mut seen = HashSet::new();
    for mapping in mappings.items() {
        let keys = ["containerName", "resourceName", "requestName"].map(|key| mapping.child(key).or_empty());
        let [container, resource, request] = keys;
        match requests.get(container.text()) {
            None => {
                let detail =
                    "must match the name of an entry in spec.initContainers.name or spec.containers.name";
                container.invalid(detail, errors);
            }
            Some(names) if !names.contains(&resource.text()) => {
                let detail = "must match the extended resource name of an entry in \
                              spec.initContainers.resources.requests or spec.containers.resources.requests";
                resource.invalid(detail, errors);
            }
            Some(_) => {}
        }
        request
            .at(extended.path.child("requestName"))
            .name(NameRule::Label, errors);
        if !seen.insert((container.text(), resource.text(), request.text())) {
            for key in [container, resource, request] {
                key.duplicate(errors);
            }
        }
    }
    let claim = extended.child("resourceClaimName");
    claim.required_name(NameRule::Subdomain, errors);
}

fn known_addresses<'v>(list: &Field<'_, 'v>) -> Vec<&'v str> {
    let addresses = items(list.value).iter();
    addresses.map(|address| text(address.get("ip"))).collect()
}

/// At most one address per IP family.
fn check_families(list: &Field<'_, '_>, kind: &str, errors: &mut Errors) {
    let addresses = known_addresses(list);
    if addresses.len() < 2 {
        return;
    }
    let is_v6: Vec<bool> = addresses.iter().map(|address| address.contains(':')).collect();
    if addresses.len() > 2 || is_v6[0] == is_v6[1] {
        let bad = internal::shown_list(list.release, CORE, kind, list.value);
        let detail = "may specify no more than one IP for each IP family";
        errors.push(invalid(&list.path, bad, detail));
    }
}

fn check_pod_addresses(status: &Field<'_, '_>, old: &Field<'_, '_>, errors: &mut Errors) {
    let (list, first) = (status.child("podIPs"), status.child("podIP").text());
    let known = known_addresses(&old.child("podIPs"));
    for address in list.items() {
        check_address(&address.child("ip").or_empty().at(address.path), &known, errors);
    }
    check_families(&list, "PodIP", errors);
    if first.is_empty() == (list.len() == 0) {
        check_first(&list, first, "podIP", errors);
    } else {
        let bad = internal::shown_list(list.release, CORE, "PodIP", list.value);
        let detail = "podIP and podIPs must either both be set or both be unset";
        errors.push(invalid(&list.path, bad, detail));
    }
}

fn check_host_addresses(status: &Field<'_, '_>, old: &Field<'_, '_>, errors: &mut Errors) {
    let (list, first) = (status.child("hostIPs"), status.child("hostIP").text());
    check_first(&list, first, "hostIP", errors);
    let known = known_addresses(&old.child("hostIPs"));
    for address in list.items() {
        check_address(&address.child("ip").or_empty().at(address.path), &known, errors);
    }
    check_families(&list, "HostIP", errors);
}

fn check_first(list: &Field<'_, '_>, first: &str, name: &str, errors: &mut Errors) {
    if let Some(address) = list.items().next() {
        let address = address.child("ip").or_empty();
        if address.text() != first {
            address.invalid(format!("must be equal to `{name}`"), errors);
        }
    }
}

fn check_users(statuses: &Field<'_, '_>, spec: &Field<'_, '_>, errors: &mut Errors) {
    let system = spec.child("os").child("name").text();
    for status in statuses.items() {
        let user = status.child("user");
        let linux = user.child("linux");
        if !linux.is_set() {
            continue;
        }
        if system == "windows" {
            linux.forbidden("cannot be set for a windows pod", errors);
            continue;
        }
        let most = if status.release.has(Behavior::LargeUserIds) {
            i64::from(u32::MAX)
        } else {
            i64::from(i32::MAX)
        };
        let ids = [("uid", most), ("gid", i64::from(i32::MAX))];
        for (key, most) in ids {
            let id = linux.child(key);
            if id.is_set() {
                id.between(0, most, errors);
            }
        }
        for group in linux.child("supplementalGroups").items() {
            group.between(0, i64::from(i32::MAX), errors);
        }
    }
}

/// Allocated resources must be among the container's requests.
fn check_allocated(
    statuses: &Field<'_, '_>,
    containers: &Field<'_, '_>,
    whole: &Field<'_, '_>,
    errors: &mut Errors,
) {
    let is_ephemeral = statuses.path.to_string().ends_with("ephemeralContainerStatuses");
    for status in statuses.items() {
        let allocated = status.child("allocatedResourcesStatus");
        if is_ephemeral && allocated.len() > 0 {
            allocated.forbidden("must not be specified in container status", errors);
            continue;
        }
        let name = status.child("name").text();
        let container = containers
            .items()
            .find(|container| container.child("name").text() == name);
        for resource in allocated.items() {
            if let Some(container) = &container {
                check_asked(&resource.child("name").or_empty(), container, whole, errors);
            }
            check_health(&resource, errors);
        }
    }
}

fn check_asked(name: &Field<'_, '_>, container: &Field<'_, '_>, whole: &Field<'_, '_>, errors: &mut Errors) {
    let resources = container.child("resources");
    let Some(claim) = name.text().strip_prefix("claim:") else {
        if !entries(resources.child("requests").value).contains_key(name.text()) {
            name.invalid("must match one of the container's resource requests", errors);
        }
        return;
    };
    let claims = resources.child("claims");
    let is_used = claims.items().any(|used| {
        let (name, request) = (used.child("name").text(), used.child("request").text());
        let full = if request.is_empty() {
            name.to_owned()
        } else {
            format!("{name}/{request}")
        };
        full == claim
    });
    if !is_used && !stands_for_request(claim, container, whole) {
        let detail = "must match one of the container's resource claims as 'claim:<claimName>/<requestName>' when \
                      container.resources.claims[*].request is set or 'claim:<claimName>' when it is empty";
        name.invalid(detail, errors);
    }
}

fn stands_for_request(claim: &str, container: &Field<'_, '_>, whole: &Field<'_, '_>) -> bool {
    let Some((claim, request)) = claim.split_once('/') else {
        return false;
    };
    let extended = whole.child("extendedResourceClaimStatus");
    let resources = container.child("resources");
    extended.child("resourceClaimName").text() == claim
        && extended.child("requestMappings").items().any(|mapping| {
            let resource = mapping.child("resourceName").text();
            let amount = resources.child("requests").child(resource).quantity();
            mapping.child("containerName").text() == container.child("name").text()
                && mapping.child("requestName").text() == request
                && amount.is_some_and(|amount| amount.sign() != 0)
        })
}

fn check_health(allocated: &Field<'_, '_>, errors: &mut Errors) {
    const MESSAGE: usize = 1024;
    let mut seen = HashSet::new();
    for resource in allocated.child("resources").items() {
        resource
            .child("health")
            .or_empty()
            .one_of(words("core/v1.ResourceHealthStatus"), errors);
        let message = resource.child("message");
        if message.is_set() && message.is_blank() {
            message.required("must be non-empty if specified", errors);
        } else if message.text().len() > MESSAGE {
            errors.push(too_long(&message.path, MESSAGE as i64));
        }
        let id = resource.child("resourceID").or_empty();
        if !seen.insert(id.text()) {
            id.duplicate(errors);
        }
    }
}
