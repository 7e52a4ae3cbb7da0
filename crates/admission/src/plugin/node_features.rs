//! `NodeDeclaredFeatureValidator`: a pod on a node is changed only in ways that the node declares
//! (plugin/pkg/admission/nodedeclaredfeatures/admission.go).

use kindsmith_formats::quantity::Quantity;
use kindsmith_gostd::quote::quote;
use kindsmith_json::Value;

use super::{Refusal, Review};

/// What a change of a pod needs on its node.
type Needs = fn(Value<'_>, Value<'_>) -> bool;

/// Features by which changes need them, in the order of messages.
const FEATURES: &[(&str, Needs)] = &[
    ("InPlacePodLevelResourcesVerticalScaling", resizes_pod),
    ("InPlacePodVerticalScalingInitContainers", resizes_init_container),
    (
        "InPlacePodVerticalScalingMemoryBackedVolumes",
        resizes_memory_volume,
    ),
];

pub(crate) fn validate<'a>(review: &Review<'_, 'a>, pod: Value<'a>) -> Result<(), Refusal> {
    let is_pod = review.is_of("", "pods", "") || review.is_of("", "pods", "resize");
    let node = pod.text(&["spec", "nodeName"]);
    let Some(old) = review.request.old.filter(|_| is_pod && !node.is_empty()) else {
        return Ok(());
    };
    let generation = |pod: Value<'a>| pod.lookup(&["metadata", "generation"]);
    if generation(old) == generation(pod) {
        return Ok(());
    }
    let mut needed = FEATURES
        .iter()
        .filter(|(_, needs)| needs(old, pod))
        .map(|(name, _)| *name)
        .peekable();
    if needed.peek().is_none() {
        return Ok(());
    }
    let Some(found) = review.find("", "nodes", "", node) else {
        return Err(Refusal::Forbidden(format!("node {} not found", quote(node))));
    };
    let declared = found.list(&["status", "declaredFeatures"]);
    let missing: Vec<&str> = needed
        .filter(|name| !declared.contains(&Value::Str(name)))
        .collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(Refusal::Forbidden(format!(
            "pod update requires features {} which are not available on node {}",
            missing.join(", "),
            quote(node)
        )))
    }
}

fn resizes_pod(old: Value<'_>, new: Value<'_>) -> bool {
    old.lookup(&["spec", "resources"]) != new.lookup(&["spec", "resources"])
}

/// Whether an init container that ends gets other resources; those that go on beside the others may.
fn resizes_init_container(old: Value<'_>, new: Value<'_>) -> bool {
    let (old, new) = (
        old.list(&["spec", "initContainers"]),
        new.list(&["spec", "initContainers"]),
    );
    old.iter().zip(new).any(|(old, new)| {
        old.text("restartPolicy") != "Always" && old.get("resources") != new.get("resources")
    })
}

fn resizes_memory_volume(old: Value<'_>, new: Value<'_>) -> bool {
    let (old, new) = (old.list(&["spec", "volumes"]), new.list(&["spec", "volumes"]));
    let limit = |volume: Value<'_>| {
        let text = volume
            .lookup(&["emptyDir", "sizeLimit"])
            .and_then(Value::as_str)?;
        Quantity::parse(text).ok()
    };
    old.len() == new.len()
        && old.iter().zip(new).any(|(old, new)| {
            let is_same = old.text("name") == new.text("name");
            let is_memory = new.text(&["emptyDir", "medium"]) == "Memory";
            let limits = limit(*old).zip(limit(*new));
            is_same && is_memory && limits.is_some_and(|(old, new)| old != new)
        })
}
