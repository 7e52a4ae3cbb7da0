//! `PodTopologyLabels`: pods get the zone and region of their node as labels
//! (plugin/pkg/admission/podtopologylabels/admission.go).

use kindsmith_builtin::pod_admission::Lookup;
use kindsmith_json::{Arena, Value};
use kindsmith_request::AdmissionOperation;

use super::{Refusal, Review, text};

const LABELS: [&str; 2] = ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"];

pub(super) fn mutate<'a>(review: &Review<'_, '_, 'a>, pod: Value<'a>) -> Result<Value<'a>, Refusal> {
    let is_new = review.request.operation == AdmissionOperation::Create;
    let node = text(pod, &["spec", "nodeName"]);
    if !is_new || !review.is_of("", "pods", "") || node.is_empty() {
        return Ok(pod);
    }
    let node = review.find("", "nodes", "", node);
    Ok(labeled(review.arena, node, pod))
}

/// The binding of a pod with the labels of its node, which the pod takes over.
pub(crate) fn of_binding<'a>(arena: &'a Arena, lookup: &dyn Lookup<'a>, binding: Value<'a>) -> Value<'a> {
    let target = binding.get("target").unwrap_or_default();
    if text(target, &["kind"]) != "Node" {
        return binding;
    }
    let node = lookup.find("", "nodes", "", text(target, &["name"]));
    labeled(arena, node, binding)
}

fn labeled<'a>(arena: &'a Arena, node: Option<Value<'a>>, object: Value<'a>) -> Value<'a> {
    let mut object = object;
    for label in LABELS {
        let path = ["metadata", "labels", label];
        if let Some(value) = node.and_then(|node| node.lookup(&path)) {
            object.set(arena, &path, value);
        }
    }
    object
}
