//! `RuntimeClass`: pods get the overhead of their class, and run where it is (plugin/pkg/admission/runtimeclass/admission.go).

use kindsmith_gostd::quote::quote;
use kindsmith_json::Value;
use kindsmith_request::Status;

use super::review::forbid;
use super::{Refusal, Review, entries, items};

pub(crate) fn mutate<'a>(review: &Review<'_, 'a>, pod: Value<'a>) -> Result<Value<'a>, Refusal> {
    if !review.is_of("", "pods", "") {
        return Ok(pod);
    }
    let name = pod.lookup(&["spec", "runtimeClassName"]).and_then(Value::as_str);
    let class = match name {
        Some(name) => Some(class(review, name)?),
        None => None,
    };
    let pod = with_overhead(review, pod, class)?;
    match class.and_then(|class| class.get("scheduling")) {
        Some(scheduling) if !scheduling.is_null() => scheduled(review, pod, scheduling),
        _ => Ok(pod),
    }
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

/// The overhead of a pod is that of its class; a pod may only repeat it.
fn with_overhead<'a>(
    review: &Review<'_, 'a>,
    pod: Value<'a>,
    class: Option<Value<'a>>,
) -> Result<Value<'a>, Refusal> {
    let path = ["spec", "overhead"];
    let own = pod.lookup(&path).filter(|own| !own.is_null());
    let wanted = class.and_then(|class| class.lookup(&["overhead", "podFixed"]));
    match (own, wanted) {
        // An overhead that no class has is refused once the pod is known to be valid.
        (_, None) => Ok(pod),
        (Some(own), Some(wanted)) if own != wanted => {
            forbid("pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead")
        }
        (_, Some(wanted)) => {
            let mut pod = pod;
            pod.set(review.arena, &path, wanted);
            Ok(pod)
        }
    }
}

/// Refuses an overhead that no class has.
pub(crate) fn validate<'a>(review: &Review<'_, 'a>, pod: Value<'a>) -> Result<(), Refusal> {
    if !review.is_of("", "pods", "") {
        return Ok(());
    }
    let has = |object: Option<Value<'_>>| object.is_some_and(|value| !value.is_null());
    let name = pod.lookup(&["spec", "runtimeClassName"]).and_then(Value::as_str);
    let class = name.and_then(|name| review.find("node.k8s.io", "runtimeclasses", "", name));
    let is_wrong = has(pod.lookup(&["spec", "overhead"]))
        && !has(class.and_then(|class| class.lookup(&["overhead", "podFixed"])));
    if is_wrong {
        return forbid("pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
    }
    Ok(())
}

fn scheduled<'a>(
    review: &Review<'_, 'a>,
    pod: Value<'a>,
    scheduling: Value<'a>,
) -> Result<Value<'a>, Refusal> {
    let (arena, mut pod) = (review.arena, pod);
    let mut selector = entries(pod.lookup(&["spec", "nodeSelector"]));
    for (key, value) in entries(scheduling.get("nodeSelector")) {
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
    let added = items(scheduling.get("tolerations"));
    if !added.is_empty() {
        let mut tolerations = items(pod.lookup(&["spec", "tolerations"])).to_vec();
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
