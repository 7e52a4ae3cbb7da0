//! `PodResizeValidator`: a pod does not grow beyond its node (plugin/pkg/admission/podresize/admission.go).

use kindsmith_builtin::amounts::{Amounts, of_pod};
use kindsmith_formats::quantity::{Format, Quantity};
use kindsmith_gostd::quote::quote;
use kindsmith_json::Value;
use kindsmith_request::Cause;

use super::{Refusal, Review};

pub(crate) fn validate<'a>(review: &Review<'_, 'a>, pod: Value<'a>) -> Result<(), Refusal> {
    let node = pod.text(&["spec", "nodeName"]);
    let generation = |pod: Value<'a>| pod.lookup(&["metadata", "generation"]);
    let is_same = review
        .request
        .old
        .is_none_or(|old| generation(old) == generation(pod));
    if !review.is_of("", "pods", "resize") || node.is_empty() || is_same {
        return Ok(());
    }
    let Some(found) = review.find("", "nodes", "", node) else {
        return Err(Refusal::Forbidden(format!("node {} not found", quote(node))));
    };
    let system = found.text(&["metadata", "labels", "kubernetes.io/os"]);
    if !matches!(system, "" | "linux") {
        let why = format!(
            "pod resize is only supported on linux nodes, node {} is {}",
            quote(node),
            quote(system)
        );
        return Err(refusal(review, pod, &why, "UnsupportedPlatform"));
    }
    let lacks = lacks(pod, found);
    if lacks.is_empty() {
        Ok(())
    } else {
        let why = format!(
            "node didn't have enough allocatable resources: {}",
            lacks.join("; ")
        );
        Err(refusal(review, pod, &why, "NodeCapacity"))
    }
}

/// What a node has too little of.
fn lacks(pod: Value<'_>, node: Value<'_>) -> Vec<String> {
    type Number = fn(&Quantity) -> i64;
    const SHOWN: [(&str, Number); 2] = [("cpu", Quantity::milli_value), ("memory", Quantity::value)];
    let allocatable = Amounts::of(node.lookup(&["status", "allocatable"]));
    let mut requests = of_pod(pod, "requests", |name| matches!(name, "cpu" | "memory"));
    requests.add(&Amounts::of(pod.lookup(&["spec", "overhead"])));
    let none = Quantity::from_int(0, Format::DecimalSi);
    let lack = |(name, number): (&str, Number)| {
        let (requested, there) = (requests.get(name)?, allocatable.get(name).unwrap_or(&none));
        let (wanted, has) = (number(requested), number(there));
        (requested > there).then(|| format!("{name}, requested: {wanted}, allocatable: {has}"))
    };
    SHOWN.into_iter().filter_map(lack).collect()
}

fn refusal<'a>(review: &Review<'_, 'a>, pod: Value<'a>, why: &str, reason: &'static str) -> Refusal {
    let mut status = review.request.forbidden(pod, why);
    if let Some(details) = &mut status.details {
        details.causes.push(Cause {
            reason: reason.into(),
            ..Cause::default()
        });
    }
    status.into()
}
