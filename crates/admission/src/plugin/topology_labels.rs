//! `PodTopologyLabels`: pods get the zone and region of their node as labels
//! (plugin/pkg/admission/podtopologylabels/admission.go).

use kindsmith_json::Value;

use super::{Refusal, Review};

const LABELS: [&str; 2] = ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"];

pub(crate) fn mutate<'a>(review: &Review<'_, 'a>, object: Value<'a>) -> Result<Value<'a>, Refusal> {
    let mut object = object;
    let node = node_name(review, object).and_then(|name| review.find("", "nodes", "", name));
    for label in LABELS {
        let path = ["metadata", "labels", label];
        if let Some(value) = node.and_then(|node| node.lookup(&path)) {
            object.set(review.arena, &path, value);
        }
    }
    Ok(object)
}

/// The node of a pod, or of the binding that brings a pod there: the pod takes over the labels of its binding.
fn node_name<'a>(review: &Review<'_, 'a>, object: Value<'a>) -> Option<&'a str> {
    let name = match review.request.kind {
        ("", "v1", "Pod") if review.is_of("", "pods", "") => object.text(&["spec", "nodeName"]),
        ("", "v1", "Binding") if object.text(&["target", "kind"]) == "Node" => {
            object.text(&["target", "name"])
        }
        _ => "",
    };
    (!name.is_empty()).then_some(name)
}
