//! `RuntimeClass`: pods get the overhead of their class, and run where it is (plugin/pkg/admission/runtimeclass/admission.go).

use kindsmith_formats::quantity::Quantity;
use kindsmith_gostd::quote::quote;
use kindsmith_json::Value;
use kindsmith_request::Status;

use super::review::forbid;
use super::{Refusal, Review};

pub(crate) fn mutate<'a>(review: &Review<'_, 'a>, pod: Value<'a>) -> Result<Value<'a>, Refusal> {
    if !review.is_of("", "pods", "") {
        return Ok(pod);
    }
    let class = class_of(review, pod)?;
    let pod = with_overhead(review, pod, class)?;
    match class.and_then(|class| set(class, "scheduling")) {
        Some(scheduling) => scheduled(review, pod, scheduling),
        None => Ok(pod),
    }
}

/// Refuses pods without their class, and with another overhead than that of their class.
pub(crate) fn validate<'a>(review: &Review<'_, 'a>, pod: Value<'a>) -> Result<(), Refusal> {
    if !review.is_of("", "pods", "") {
        return Ok(());
    }
    let own = overhead(pod);
    match class_of(review, pod)?.and_then(|class| set(class, "overhead")) {
        Some(overhead) if !is_same(own, set(overhead, "podFixed")) => forbid(OTHER_OVERHEAD),
        None if own.is_some() => {
            forbid("pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead")
        }
        _ => Ok(()),
    }
}

const OTHER_OVERHEAD: &str = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

fn set<'a>(value: Value<'a>, key: &str) -> Option<Value<'a>> {
    value.get(key).filter(|value| !value.is_null())
}

fn overhead(pod: Value<'_>) -> Option<Value<'_>> {
    set(pod.get("spec")?, "overhead")
}

/// Whether two lists of resources have the same amounts; an empty one is like none.
fn is_same<'v>(left: Option<Value<'v>>, right: Option<Value<'v>>) -> bool {
    let entries = |value: Option<Value<'v>>| value.and_then(Value::as_object).unwrap_or_default();
    let (left, right) = (entries(left), entries(right));
    let amount = |value: Value<'_>| Quantity::parse(value.as_str()?).ok();
    left.len() == right.len()
        && left.into_iter().all(|(key, value)| {
            let other = right.get(key);
            other.is_some_and(|other| other == value || amount(other) == amount(value))
        })
}

/// The class that a pod names.
fn class_of<'a>(review: &Review<'_, 'a>, pod: Value<'a>) -> Result<Option<Value<'a>>, Refusal> {
    let name = pod.lookup(&["spec", "runtimeClassName"]).and_then(Value::as_str);
    name.map(|name| class(review, name)).transpose()
}

fn class<'a>(review: &Review<'_, 'a>, name: &str) -> Result<Value<'a>, Refusal> {
    if name.is_empty() {
        return Err(Status::unforeseen("resource name may not be empty").into());
    }
    if name.contains('/') {
        let name = quote(name);
        let why = format!("invalid resource name {name}: [may not contain '/']");
        return Err(Status::unforeseen(why).into());
    }
    let found = review.find("node.k8s.io", "runtimeclasses", "", name);
    found.ok_or_else(|| Refusal::Forbidden(format!("pod rejected: RuntimeClass {} not found", quote(name))))
}

/// The overhead of a pod is that of its class; a pod may only repeat it. One that no class has is refused once the pod is
/// known to be valid.
fn with_overhead<'a>(
    review: &Review<'_, 'a>,
    pod: Value<'a>,
    class: Option<Value<'a>>,
) -> Result<Value<'a>, Refusal> {
    let Some(wanted) = class.and_then(|class| set(class, "overhead")) else {
        return Ok(pod);
    };
    let wanted = set(wanted, "podFixed");
    let own = overhead(pod);
    if own.is_some() && !is_same(own, wanted) {
        return forbid(OTHER_OVERHEAD);
    }
    let mut pod = pod;
    match wanted {
        Some(wanted) => pod.set(review.arena, &["spec", "overhead"], wanted),
        None => {
            pod.unset(review.arena, &["spec", "overhead"]);
        }
    }
    Ok(pod)
}

fn scheduled<'a>(
    review: &Review<'_, 'a>,
    pod: Value<'a>,
    scheduling: Value<'a>,
) -> Result<Value<'a>, Refusal> {
    let (arena, mut pod) = (review.arena, pod);
    let mut selector = pod.object(&["spec", "nodeSelector"]);
    for (key, value) in scheduling.object("nodeSelector") {
        if let Some(own) = selector.get(key).filter(|own| *own != value) {
            let text = |value: Value<'a>| value.as_str().unwrap_or_default();
            let (class, own) = (text(value), text(own));
            return Err(Refusal::Forbidden(format!(
                "conflict: runtimeClass.scheduling.nodeSelector[{key}] = {class}; pod.spec.nodeSelector[{key}] = {own}"
            )));
        }
        selector.insert(arena, key, value);
    }
    if !selector.is_empty() {
        pod.set(arena, &["spec", "nodeSelector"], Value::Object(selector));
    }
    let added = scheduling.list("tolerations");
    if !added.is_empty() {
        let mut tolerations = pod.list(&["spec", "tolerations"]).to_vec();
        for toleration in added {
            if !tolerations.contains(toleration) {
                tolerations.push(*toleration);
            }
        }
        let tolerations = Value::Array(arena.alloc_slice_copy(&tolerations));
        pod.set(arena, &["spec", "tolerations"], tolerations);
    }
    Ok(pod)
}
