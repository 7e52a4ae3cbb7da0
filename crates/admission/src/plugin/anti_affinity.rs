//! `LimitPodHardAntiAffinityTopology`: pods keep others away from a node at most (plugin/pkg/admission/antiaffinity/admission.go).

use kindsmith_json::Value;

use super::{Refusal, Review};

const HOST: &str = "kubernetes.io/hostname";

pub(crate) fn validate<'a>(review: &Review<'_, 'a>, pod: Value<'a>) -> Result<(), Refusal> {
    if !review.is_of("", "pods", "") {
        return Ok(());
    }
    let path = [
        "spec",
        "affinity",
        "podAntiAffinity",
        "requiredDuringSchedulingIgnoredDuringExecution",
    ];
    let keys = pod.list(&path).iter().map(|term| term.text("topologyKey"));
    match keys.into_iter().find(|key| *key != HOST) {
        Some(key) => Err(Refusal::Forbidden(format!(
            "affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey {key} but only key {HOST} is allowed"
        ))),
        None => Ok(()),
    }
}
