//! What objects use of a ResourceQuota, and which quotas are about them (pkg/quota/v1/evaluator/core and apiserver's
//! pkg/quota/v1).
//!
//! Devices that pods use through extended resources are counted by the requests of the pods alone. Knows no store.

use std::collections::BTreeSet;

use kindsmith_formats::quantity::Quantity;
use kindsmith_gostd::time::{Layout, Time};
use kindsmith_json::Value;

use crate::field_check::{entries, items, text, truth};
use crate::part::amounts::{Amounts, of_pod};
use crate::part::resource_name;
use crate::pod;

/// Resources that no quota counts.
const IGNORED: [(&str, &str); 10] = [
    ("", "bindings"),
    ("", "componentstatuses"),
    ("", "events"),
    ("events.k8s.io", "events"),
    ("authentication.k8s.io", "tokenreviews"),
    ("authentication.k8s.io", "selfsubjectreviews"),
    ("authorization.k8s.io", "subjectaccessreviews"),
    ("authorization.k8s.io", "selfsubjectaccessreviews"),
    ("authorization.k8s.io", "localsubjectaccessreviews"),
    ("authorization.k8s.io", "selfsubjectrulesreviews"),
];

/// Resources that may be counted without `count/`.
const ALIASED: [&str; 4] = [
    "configmaps",
    "resourcequotas",
    "replicationcontrollers",
    "secrets",
];
/// Resources of pods that a quota can name.
const OF_PODS: [&str; 11] = [
    "count/pods",
    "pods",
    "cpu",
    "memory",
    "ephemeral-storage",
    "requests.cpu",
    "requests.memory",
    "requests.ephemeral-storage",
    "limits.cpu",
    "limits.memory",
    "limits.ephemeral-storage",
];
/// Those that every container must then say something about.
const REQUIRED: [&str; 6] = [
    "cpu",
    "memory",
    "requests.cpu",
    "requests.memory",
    "limits.cpu",
    "limits.memory",
];
const OF_SERVICES: [&str; 4] = [
    "count/services",
    "services",
    "services.nodeports",
    "services.loadbalancers",
];
const OF_CLAIMS: [&str; 2] = ["persistentvolumeclaims", "requests.storage"];
const BY_STORAGE_CLASS: &str = ".storageclass.storage.k8s.io/";
const BY_DEVICE_CLASS: &str = ".deviceclass.resource.k8s.io/devices";
/// As many devices as a claim can have.
const MOST_DEVICES: i64 = 32;

/// How objects of a resource are counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evaluator {
    /// Pods, with what they request and are limited to.
    Pods,
    /// Services, with node ports and load balancers.
    Services,
    /// Claims, with their storage.
    Claims,
    /// Claims of devices.
    DeviceClaims,
    /// By number, under these names.
    Objects(Vec<String>),
}

/// A write of an object, as far as quotas are concerned.
#[derive(Debug, Clone, Copy)]
pub struct Written<'a> {
    /// The subresource; empty for the object itself.
    pub subresource: &'a str,
    /// The object.
    pub object: Value<'a>,
    /// The stored object, on update.
    pub old: Option<Value<'a>>,
}

impl Evaluator {
    /// The evaluator of a resource; `None` if it is never counted.
    #[must_use]
    pub fn of(group: &str, resource: &str) -> Option<Evaluator> {
        if IGNORED.contains(&(group, resource)) {
            return None;
        }
        Some(match (group, resource) {
            ("", "pods") => Evaluator::Pods,
            ("", "services") => Evaluator::Services,
            ("", "persistentvolumeclaims") => Evaluator::Claims,
            ("resource.k8s.io", "resourceclaims") => Evaluator::DeviceClaims,
            ("", resource) => {
                let mut names = vec![format!("count/{resource}")];
                names.extend(ALIASED.contains(&resource).then(|| resource.to_owned()));
                Evaluator::Objects(names)
            }
            (group, resource) => Evaluator::Objects(vec![format!("count/{resource}.{group}")]),
        })
    }

    /// Whether a write can change what is used.
    #[must_use]
    pub fn handles(&self, written: &Written<'_>) -> bool {
        match (self, written.subresource, written.old) {
            (_, "", None) => true,
            (Evaluator::Pods, "", Some(old)) => has_deadline(old) != has_deadline(written.object),
            (Evaluator::Pods, "resize", Some(_)) => true,
            (Evaluator::Services | Evaluator::Claims | Evaluator::DeviceClaims, "", Some(_)) => true,
            // Kubernetes compares pointers to the allocated storage here, which always differ.
            (Evaluator::Claims, "status", Some(_)) => true,
            _ => false,
        }
    }

    /// Whether a quota may name a resource for these objects.
    #[must_use]
    pub fn counts(&self, name: &str) -> bool {
        match self {
            Evaluator::Pods => {
                OF_PODS.contains(&name)
                    || name.starts_with("hugepages-")
                    || name.starts_with("requests.hugepages-")
                    || is_extended(name)
            }
            Evaluator::Services => OF_SERVICES.contains(&name),
            Evaluator::Claims => {
                let by_class = name.split_once(BY_STORAGE_CLASS).map_or(name, |(_, name)| name);
                name == "count/persistentvolumeclaims" || OF_CLAIMS.contains(&by_class)
            }
            Evaluator::DeviceClaims => {
                name == "count/resourceclaims.resource.k8s.io" || name.ends_with(BY_DEVICE_CLASS)
            }
            Evaluator::Objects(names) => names.iter().any(|known| known == name),
        }
    }

    /// Whether a quota, which counts these resources, is about an object: it counts one of them, and all its scopes fit.
    #[must_use]
    pub fn matches<'n>(
        &self,
        quota: Value<'_>,
        counted: impl IntoIterator<Item = &'n str>,
        object: Value<'_>,
    ) -> bool {
        counted.into_iter().any(|name| self.counts(name))
            && scopes(quota).iter().all(|scope| self.is_in(scope, object))
    }

    fn is_in(&self, scope: &Scope<'_>, object: Value<'_>) -> bool {
        match (self, scope.name) {
            (Evaluator::Pods, "Terminating") => has_deadline(object),
            (Evaluator::Pods, "NotTerminating") => !has_deadline(object),
            (Evaluator::Pods, "BestEffort") => is_best_effort(object),
            (Evaluator::Pods, "NotBestEffort") => !is_best_effort(object),
            (Evaluator::Pods, "PriorityClass") => {
                let class = text(object.lookup(&["spec", "priorityClassName"]));
                scope.selects(&BTreeSet::from([class]))
            }
            (Evaluator::Pods, "CrossNamespacePodAffinity") => looks_elsewhere(object),
            (Evaluator::Claims, "VolumeAttributesClass") => scope.selects(&attribute_classes(object)),
            _ => false,
        }
    }

    /// What is missing in a pod so that a quota of these resources can count it.
    #[must_use]
    pub fn missing<'n>(
        &self,
        counted: impl IntoIterator<Item = &'n str>,
        object: Value<'_>,
    ) -> Option<String> {
        let is_whole = ["requests", "limits"]
            .iter()
            .any(|part| !entries(object.lookup(&["spec", "resources", part])).is_empty());
        if *self != Evaluator::Pods || is_whole {
            return None;
        }
        let required: BTreeSet<&str> = counted
            .into_iter()
            .filter(|name| REQUIRED.contains(name))
            .collect();
        let lack = |name: &&str| {
            let lists = ["containers", "initContainers"].map(|list| items(object.lookup(&["spec", list])));
            let without: BTreeSet<&str> = lists
                .into_iter()
                .flatten()
                .filter(|container| !uses(**container, name))
                .map(|container| text(container.get("name")))
                .collect();
            let without: Vec<&str> = without.into_iter().collect();
            (!without.is_empty()).then(|| format!("{name} for: {}", without.join(",")))
        };
        let lacks: Vec<String> = required.iter().filter_map(lack).collect();
        (!lacks.is_empty()).then(|| format!("must specify {}", lacks.join("; ")))
    }

    /// What an object uses, at a time in seconds since 1970.
    #[must_use]
    pub fn usage(&self, object: Value<'_>, now: i64) -> Amounts {
        match self {
            Evaluator::Pods => of_running(object, now),
            Evaluator::Services => of_service(object),
            Evaluator::Claims => of_claim(object),
            Evaluator::DeviceClaims => of_device_claim(object),
            Evaluator::Objects(names) => {
                let mut usage = Amounts::default();
                names.iter().for_each(|name| usage.count(name, 1));
                usage
            }
        }
    }
}

/// A scope of a quota.
struct Scope<'a> {
    name: &'a str,
    operator: &'a str,
    values: &'a [Value<'a>],
}

fn scopes(quota: Value<'_>) -> Vec<Scope<'_>> {
    let plain = items(quota.lookup(&["spec", "scopes"])).iter();
    let plain = plain.map(|name| Scope {
        name: name.as_str().unwrap_or_default(),
        operator: "Exists",
        values: &[],
    });
    let selected = items(quota.lookup(&["spec", "scopeSelector", "matchExpressions"])).iter();
    let selected = selected.map(|expression| Scope {
        name: text(expression.get("scopeName")),
        operator: text(expression.get("operator")),
        values: items(expression.get("values")),
    });
    plain.chain(selected).collect()
}

impl Scope<'_> {
    /// Whether one of these names fits; empty names are skipped.
    fn selects(&self, names: &BTreeSet<&str>) -> bool {
        let mut names = names.iter().filter(|name| !name.is_empty()).peekable();
        let has = |name: &str| self.values.iter().any(|value| value.as_str() == Some(name));
        match self.operator {
            "Exists" => names.peek().is_some(),
            "DoesNotExist" => names.peek().is_none(),
            "In" => names.any(|name| has(name)),
            "NotIn" => names.peek().is_none() || names.any(|name| !has(name)),
            _ => false,
        }
    }
}

fn has_deadline(pod: Value<'_>) -> bool {
    let seconds = pod.lookup(&["spec", "activeDeadlineSeconds"]);
    seconds
        .and_then(Value::as_i64)
        .is_some_and(|seconds| seconds >= 0)
}

fn is_best_effort(pod: Value<'_>) -> bool {
    pod::quality(pod.get("spec").unwrap_or_default()) == "BestEffort"
}

/// Whether a rule of affinity is about pods of other namespaces.
fn looks_elsewhere(pod: Value<'_>) -> bool {
    let is_elsewhere = |term: Value<'_>| {
        !items(term.get("namespaces")).is_empty()
            || term
                .get("namespaceSelector")
                .is_some_and(|value| !value.is_null())
    };
    ["podAffinity", "podAntiAffinity"].iter().any(|kind| {
        let terms = |list: &str| items(pod.lookup(&["spec", "affinity", kind, list])).iter();
        let preferred = terms("preferredDuringSchedulingIgnoredDuringExecution");
        let preferred = preferred.filter_map(|weighted| weighted.get("podAffinityTerm"));
        let required = terms("requiredDuringSchedulingIgnoredDuringExecution").copied();
        required.chain(preferred).any(is_elsewhere)
    })
}

fn attribute_classes(claim: Value<'_>) -> BTreeSet<&str> {
    const PLACES: [&[&str]; 3] = [
        &["spec", "volumeAttributesClassName"],
        &["status", "currentVolumeAttributesClassName"],
        &["status", "modifyVolumeStatus", "targetVolumeAttributesClassName"],
    ];
    let names = PLACES.iter().map(|place| text(claim.lookup(place)));
    names.filter(|name| !name.is_empty()).collect()
}

/// A resource of a vendor, as quotas name it.
fn is_extended(name: &str) -> bool {
    let Some(resource) = name.strip_prefix("requests.") else {
        return false;
    };
    resource.starts_with("deviceclass.resource.kubernetes.io/") || resource_name::is_extended(resource)
}

/// Whether a container says something about a resource that a quota names.
fn uses(container: Value<'_>, name: &str) -> bool {
    let (part, resource) = match name.split_once('.') {
        Some((part, resource)) => (part, resource),
        None => ("requests", name),
    };
    entries(container.lookup(&["resources", part])).contains_key(resource)
}

/// A pod counts as an object as long as it is stored, and as a pod until it has ended or should have.
fn of_running(pod: Value<'_>, now: i64) -> Amounts {
    let mut usage = Amounts::default();
    usage.count("count/pods", 1);
    let phase = text(pod.lookup(&["status", "phase"]));
    if matches!(phase, "Failed" | "Succeeded") || is_overdue(pod, now) {
        return usage;
    }
    usage.count("pods", 1);
    let overhead = Amounts::of(pod.lookup(&["spec", "overhead"]));
    let mut requests = of_pod(pod, "requests", is_of_whole_pods);
    requests.add(&overhead);
    let mut limits = of_pod(pod, "limits", is_of_whole_pods);
    let limited = overhead.only(|name| limits.get(name).is_some_and(|limit| limit.sign() != 0));
    limits.add(&limited);
    for (name, amount) in &requests.0 {
        let is_plain =
            matches!(&**name, "cpu" | "memory" | "ephemeral-storage") || name.starts_with("hugepages-");
        if is_plain {
            usage.0.insert(name.clone(), amount.clone());
        }
        let prefixed = format!("requests.{name}");
        if is_plain || is_extended(&prefixed) {
            usage.0.insert(prefixed, amount.clone());
        }
    }
    for name in ["cpu", "memory", "ephemeral-storage"] {
        if let Some(amount) = limits.get(name) {
            usage.0.insert(format!("limits.{name}"), amount.clone());
        }
    }
    usage
}

fn is_of_whole_pods(name: &str) -> bool {
    matches!(name, "cpu" | "memory") || name.starts_with("hugepages-")
}

/// Whether a pod should have ended already.
fn is_overdue(pod: Value<'_>, now: i64) -> bool {
    let meta = |key: &str| pod.lookup(&["metadata", key]);
    let deleted = Time::parse(Layout::Rfc3339, text(meta("deletionTimestamp"))).ok();
    let grace = meta("deletionGracePeriodSeconds").and_then(Value::as_i64);
    match (deleted, grace) {
        (Some(deleted), Some(grace)) => now > deleted.unix_seconds().saturating_add(grace),
        _ => false,
    }
}

fn of_service(service: Value<'_>) -> Amounts {
    let spec = |key: &str| service.lookup(&["spec", key]);
    let ports = items(spec("ports"));
    let chosen = ports.iter().filter(|port| port.get("nodePort").is_some());
    let allocates = spec("allocateLoadBalancerNodePorts").is_none_or(|value| truth(Some(value)));
    let (node_ports, balancers) = match text(spec("type")) {
        "NodePort" => (ports.len(), 0),
        "LoadBalancer" if allocates => (ports.len(), 1),
        "LoadBalancer" => (chosen.count(), 1),
        _ => (0, 0),
    };
    let mut usage = Amounts::default();
    usage.count("count/services", 1);
    usage.count("services", 1);
    usage.count("services.nodeports", node_ports);
    usage.count("services.loadbalancers", balancers);
    usage
}

fn of_claim(claim: Value<'_>) -> Amounts {
    let mut usage = Amounts::default();
    usage.count("persistentvolumeclaims", 1);
    usage.count("count/persistentvolumeclaims", 1);
    let annotated = claim.lookup(&[
        "metadata",
        "annotations",
        "volume.beta.kubernetes.io/storage-class",
    ]);
    let class = text(annotated.or_else(|| claim.lookup(&["spec", "storageClassName"])));
    if !class.is_empty() {
        usage.count(format!("{class}{BY_STORAGE_CLASS}persistentvolumeclaims"), 1);
    }
    let amount = |path: &[&str]| Amounts::of(claim.lookup(path)).0.remove("storage");
    let Some(requested) = amount(&["spec", "resources", "requests"]) else {
        return usage;
    };
    let allocated = amount(&["status", "allocatedResources"]);
    let storage = whole(&requested.clone().max(allocated.unwrap_or(requested)));
    if !class.is_empty() {
        usage.0.insert(
            format!("{class}{BY_STORAGE_CLASS}requests.storage"),
            storage.clone(),
        );
    }
    usage.0.insert("requests.storage".to_owned(), storage);
    usage
}

/// Without a fraction of a byte.
fn whole(amount: &Quantity) -> Quantity {
    let rounded = Quantity::from_int(amount.value(), amount.format());
    if rounded == *amount {
        amount.clone()
    } else {
        rounded
    }
}

/// Devices by class: of several alternatives, the one with the most.
fn of_device_claim(claim: Value<'_>) -> Amounts {
    let mut usage = Amounts::default();
    usage.count("count/resourceclaims.resource.k8s.io", 1);
    for request in items(claim.lookup(&["spec", "devices", "requests"])) {
        let alternatives = items(request.get("firstAvailable")).iter().copied();
        let mut most = Amounts::default();
        for wanted in alternatives.chain(request.get("exactly")) {
            let number = match text(wanted.get("allocationMode")) {
                "ExactCount" => wanted.get("count").and_then(Value::as_i64).unwrap_or_default(),
                "All" => MOST_DEVICES,
                _ => 0,
            };
            let class = text(wanted.get("deviceClassName"));
            let mut one = Amounts::default();
            one.count(
                format!("{class}{BY_DEVICE_CLASS}"),
                usize::try_from(number).unwrap_or_default(),
            );
            most.raise(&one);
        }
        usage.add(&most);
    }
    usage
}

#[cfg(test)]
mod tests {
    use super::*;
    use kindsmith_json::{Arena, parse_str};

    #[track_caller]
    fn check(resource: &str, object: &str, expected: &str) {
        let arena = Arena::new();
        let object = parse_str(&arena, object).expect("JSON");
        let evaluator = Evaluator::of("", resource).expect("counted");
        assert_eq!(evaluator.usage(object, 0).shown(), expected);
    }

    #[test]
    fn objects_are_counted() {
        check("secrets", "{}", "count/secrets=1,secrets=1");
        check("endpoints", "{}", "count/endpoints=1");
        assert_eq!(Evaluator::of("", "events"), None);
    }

    #[test]
    fn pods_count_what_they_request_until_they_end() {
        let pod = |more: &str| {
            format!(
                r#"{{{more}"spec":{{"overhead":{{"cpu":"10m"}},"containers":[{{"resources":{{"requests":{{"cpu":"1","example.com/x":"2"}},"limits":{{"memory":"1Gi"}}}}}}]}}}}"#
            )
        };
        check(
            "pods",
            &pod(""),
            "count/pods=1,cpu=1010m,limits.memory=1Gi,pods=1,requests.cpu=1010m,requests.example.com/x=2",
        );
        check("pods", &pod(r#""status":{"phase":"Failed"},"#), "count/pods=1");
        let late =
            r#""metadata":{"deletionTimestamp":"1969-12-31T23:59:00Z","deletionGracePeriodSeconds":30},"#;
        check("pods", &pod(late), "count/pods=1");
    }

    #[test]
    fn services_count_ports_and_balancers() {
        let service = |ty: &str, more: &str| {
            format!(
                r#"{{"spec":{{"type":"{ty}",{more}"ports":[{{"port":1}},{{"port":2,"nodePort":30000}}]}}}}"#
            )
        };
        let expected = |balancers: u8, ports: u8| {
            format!(
                "count/services=1,services=1,services.loadbalancers={balancers},services.nodeports={ports}"
            )
        };
        check("services", &service("ClusterIP", ""), &expected(0, 0));
        check("services", &service("NodePort", ""), &expected(0, 2));
        check("services", &service("LoadBalancer", ""), &expected(1, 2));
        let chosen = r#""allocateLoadBalancerNodePorts":false,"#;
        check("services", &service("LoadBalancer", chosen), &expected(1, 1));
    }

    #[test]
    fn claims_count_storage_by_class() {
        check(
            "persistentvolumeclaims",
            r#"{"spec":{"storageClassName":"gold","resources":{"requests":{"storage":"1500m"}}}}"#,
            "count/persistentvolumeclaims=1,gold.storageclass.storage.k8s.io/persistentvolumeclaims=1,\
             gold.storageclass.storage.k8s.io/requests.storage=2,persistentvolumeclaims=1,requests.storage=2",
        );
    }

    #[track_caller]
    fn fits(spec: &str, pod: &str, expected: bool) {
        let arena = Arena::new();
        let quota = format!(r#"{{"spec":{spec}}}"#);
        let quota = parse_str(&arena, &quota).expect("JSON");
        let pod = parse_str(&arena, pod).expect("JSON");
        assert_eq!(Evaluator::Pods.matches(quota, ["pods"], pod), expected);
    }

    #[test]
    fn all_scopes_must_fit() {
        let (plain, ending) = (r#"{"spec":{}}"#, r#"{"spec":{"activeDeadlineSeconds":1}}"#);
        fits("{}", plain, true);
        fits(r#"{"scopes":["Terminating"]}"#, plain, false);
        fits(r#"{"scopes":["Terminating","BestEffort"]}"#, ending, true);
        fits(r#"{"scopes":["Terminating","NotBestEffort"]}"#, ending, false);
        let select = |operator: &str| {
            format!(
                r#"{{"scopeSelector":{{"matchExpressions":[{{"scopeName":"PriorityClass","operator":"{operator}","values":["high"]}}]}}}}"#
            )
        };
        let high = r#"{"spec":{"priorityClassName":"high"}}"#;
        for (operator, of_plain, of_high) in [
            ("In", false, true),
            ("NotIn", true, false),
            ("Exists", false, true),
            ("DoesNotExist", true, false),
        ] {
            fits(&select(operator), plain, of_plain);
            fits(&select(operator), high, of_high);
        }
    }

    #[test]
    fn containers_must_say_what_a_quota_counts() {
        let arena = Arena::new();
        let pod = r#"{"spec":{"containers":[{"name":"b"},{"name":"a"},{"name":"c","resources":{"requests":{"cpu":"1"}}}]}}"#;
        let pod = parse_str(&arena, pod).expect("JSON");
        let missing = Evaluator::Pods.missing(["cpu", "limits.memory", "pods"], pod);
        assert_eq!(
            missing.as_deref(),
            Some("must specify cpu for: a,b; limits.memory for: a,b,c")
        );
        assert_eq!(Evaluator::Pods.missing(["pods"], pod), None);
    }
}
