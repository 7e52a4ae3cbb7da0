//! The QoS class of a pod (`ComputePodQOS` in pkg/apis/core/helper/qos/qos.go).

use kindsmith_formats::quantity::Quantity;
use kindsmith_json::Value;
use kindsmith_object::{Behavior, Gate, Release};

use crate::field_check::{entries, items};

const COMPUTE: [&str; 2] = ["cpu", "memory"];

/// The class that the newest release gives a pod.
#[must_use]
pub fn quality(spec: Value<'_>) -> &'static str {
    quality_in(Release::NEWEST, spec)
}

/// The class of a pod, from its pod-level resources if it has any, otherwise from all its containers.
pub(crate) fn quality_in(release: Release, spec: Value<'_>) -> &'static str {
    let class = |holder| class(release, holder);
    let own = ["requests", "limits"].map(|key| entries(spec.lookup(&["resources", key])));
    let is_whole = if release.enables(Gate::PodLevelResourcesFixKubeletQOSClass) {
        own.iter().any(|amounts| !amounts.is_empty())
    } else {
        spec.get("resources")
            .is_some_and(|resources| !resources.is_null())
    };
    if is_whole {
        return class(spec);
    }
    let lists = [spec.get("initContainers"), spec.get("containers")];
    let mut classes = lists
        .iter()
        .flat_map(|list| items(*list))
        .map(|container| class(*container));
    let first = classes.next().unwrap_or("BestEffort");
    if classes.all(|class| class == first) {
        first
    } else {
        "Burstable"
    }
}

/// The class that one `resources` member gives.
fn class(release: Release, holder: Value<'_>) -> &'static str {
    let amount = |key: &str, name: &str| {
        let amount = entries(holder.lookup(&["resources", key])).get(name)?;
        let amount = Quantity::parse(amount.as_str()?).ok()?;
        let counts = match amount.sign() {
            0 => false,
            sign => sign > 0 || release.has(Behavior::NegativeAmountsCount),
        };
        counts.then_some(amount)
    };
    let is_bounded = |name: &&str| {
        let limit = amount("limits", name);
        limit.is_some() && limit == amount("requests", name)
    };
    let is_used = |name: &&str| amount("limits", name).is_some() || amount("requests", name).is_some();
    if !COMPUTE.iter().any(is_used) {
        "BestEffort"
    } else if COMPUTE.iter().all(is_bounded) {
        "Guaranteed"
    } else {
        "Burstable"
    }
}
