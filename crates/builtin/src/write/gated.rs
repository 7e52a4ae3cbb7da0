//! Fields behind gates that are off in some release: dropped silently, unless the stored object uses the feature (`dropDisabledFields`
//! in the strategies under pkg/registry). Pods have a [list of their own](crate::pod), which tags make.

use kindsmith_json::{Arena, Value};
use kindsmith_object::{Behavior, Gate, Release};

use crate::DecodedObject;
use crate::edit::without;
use crate::types::EACH;

/// The fields of a gate in one kind.
struct Gated {
    gate: Gate,
    /// What a release must have to drop them.
    needs: Option<Behavior>,
    kind: (&'static str, &'static str),
    paths: &'static [&'static [&'static str]],
}

const fn gated(
    gate: Gate,
    kind: (&'static str, &'static str),
    paths: &'static [&'static [&'static str]],
) -> Gated {
    Gated {
        gate,
        needs: None,
        kind,
        paths,
    }
}

impl Gated {
    const fn needs(self, behavior: Behavior) -> Gated {
        Gated {
            needs: Some(behavior),
            ..self
        }
    }

    /// Whether a release drops the fields of a kind.
    fn drops(&self, release: Release, kind: (&str, &str)) -> bool {
        self.kind == kind
            && !release.enables(self.gate)
            && self.needs.is_none_or(|behavior| release.has(behavior))
    }
}

const SLICE: (&str, &str) = ("resource.k8s.io", "ResourceSlice");
const CLAIM: (&str, &str) = ("resource.k8s.io", "ResourceClaim");
const TEMPLATE: (&str, &str) = ("resource.k8s.io", "ResourceClaimTemplate");
const DRIVER: (&str, &str) = ("storage.k8s.io", "CSIDriver");

const GATED: &[Gated] = &[
    gated(
        Gate::DeploymentReplicaSetTerminatingReplicas,
        ("apps", "Deployment"),
        &[&["status", "terminatingReplicas"]],
    ),
    gated(
        Gate::DeploymentReplicaSetTerminatingReplicas,
        ("apps", "ReplicaSet"),
        &[&["status", "terminatingReplicas"]],
    ),
    gated(
        Gate::MaxUnavailableStatefulSet,
        ("apps", "StatefulSet"),
        &[&["spec", "updateStrategy", "rollingUpdate", "maxUnavailable"]],
    ),
    gated(
        Gate::HPAConfigurableTolerance,
        ("autoscaling", "HorizontalPodAutoscaler"),
        &[
            &["spec", "behavior", "scaleUp", "tolerance"],
            &["spec", "behavior", "scaleDown", "tolerance"],
        ],
    ),
    gated(
        Gate::VolumeLimitScaling,
        DRIVER,
        &[&["spec", "preventPodSchedulingIfMissing"]],
    ),
    gated(
        Gate::MutableCSINodeAllocatableCount,
        DRIVER,
        &[&["spec", "nodeAllocatableUpdatePeriodSeconds"]],
    ),
    gated(
        Gate::DRAExtendedResource,
        ("resource.k8s.io", "DeviceClass"),
        &[&["spec", "extendedResourceName"]],
    ),
    gated(
        Gate::DRADeviceTaints,
        SLICE,
        &[&["spec", "devices", EACH, "taints"]],
    ),
    gated(
        Gate::DRADeviceTaints,
        CLAIM,
        &[
            &["spec", "devices", "requests", EACH, "exactly", "tolerations"],
            &[
                "spec",
                "devices",
                "requests",
                EACH,
                "firstAvailable",
                EACH,
                "tolerations",
            ],
        ],
    )
    .needs(Behavior::DeviceTolerationsGated),
    gated(
        Gate::DRADeviceTaints,
        TEMPLATE,
        &[
            &[
                "spec",
                "spec",
                "devices",
                "requests",
                EACH,
                "exactly",
                "tolerations",
            ],
            &[
                "spec",
                "spec",
                "devices",
                "requests",
                EACH,
                "firstAvailable",
                EACH,
                "tolerations",
            ],
        ],
    )
    .needs(Behavior::DeviceTolerationsGated),
    gated(
        Gate::DRAConsumableCapacity,
        SLICE,
        &[
            &["spec", "devices", EACH, "allowMultipleAllocations"],
            &["spec", "devices", EACH, "capacity", ALL, "requestPolicy"],
        ],
    ),
    gated(
        Gate::DRAConsumableCapacity,
        CLAIM,
        &[
            &["spec", "devices", "requests", EACH, "exactly", "capacity"],
            &[
                "spec",
                "devices",
                "requests",
                EACH,
                "firstAvailable",
                EACH,
                "capacity",
            ],
        ],
    ),
    gated(
        Gate::DRAConsumableCapacity,
        TEMPLATE,
        &[
            &["spec", "spec", "devices", "requests", EACH, "exactly", "capacity"],
            &[
                "spec",
                "spec",
                "devices",
                "requests",
                EACH,
                "firstAvailable",
                EACH,
                "capacity",
            ],
        ],
    ),
    gated(
        Gate::DRAConsumableCapacity,
        CLAIM,
        &[&["spec", "devices", "constraints", EACH, "distinctAttribute"]],
    )
    .needs(Behavior::DistinctAttributesGated),
    gated(
        Gate::DRAConsumableCapacity,
        TEMPLATE,
        &[&[
            "spec",
            "spec",
            "devices",
            "constraints",
            EACH,
            "distinctAttribute",
        ]],
    )
    .needs(Behavior::DistinctAttributesGated),
    gated(
        Gate::DRAPartitionableDevices,
        SLICE,
        &[
            &["spec", "sharedCounters"],
            &["spec", "perDeviceNodeSelection"],
            &["spec", "devices", EACH, "consumesCounters"],
            &["spec", "devices", EACH, "nodeName"],
            &["spec", "devices", EACH, "nodeSelector"],
            &["spec", "devices", EACH, "allNodes"],
        ],
    ),
    gated(
        Gate::DRADeviceBindingConditions,
        SLICE,
        &[
            &["spec", "devices", EACH, "bindsToNode"],
            &["spec", "devices", EACH, "bindingConditions"],
            &["spec", "devices", EACH, "bindingFailureConditions"],
        ],
    ),
];

/// A step of a path: every value of a map.
const ALL: &str = crate::edit::ALL;

/// Whether fields of a kind are dropped only after its generation was counted.
pub(super) fn drops_last(kind: (&str, &str)) -> bool {
    kind == SLICE
}

/// Drops the fields of gates that are off in a release.
pub(super) fn drop_fields<'a>(
    arena: &'a Arena,
    release: Release,
    kind: (&str, &str),
    object: &mut DecodedObject<'a>,
    old: Option<&DecodedObject<'a>>,
) {
    for gated in GATED.iter().filter(|gated| gated.drops(release, kind)) {
        let mut kept = None;
        for path in gated.paths {
            kept = without(arena, kept.unwrap_or(object.value()), path).or(kept);
        }
        let is_used = |old: &DecodedObject<'a>| {
            let old = old.value();
            gated.paths.iter().any(|path| without(arena, old, path).is_some())
        };
        let Some(kept) = kept.filter(|_| !old.is_some_and(is_used)) else {
            continue;
        };
        for part in ["spec", "status"] {
            if let Some(part_kept) = kept.get(part) {
                object.set(arena, &[part], part_kept);
            }
        }
    }
}

/// An object without the defaults of fields whose gates are off: such fields get no default.
pub(super) fn without_defaults<'a>(
    arena: &'a Arena,
    release: Release,
    kind: (&str, &str),
    given: Value<'a>,
    defaulted: Value<'a>,
) -> Value<'a> {
    let off = GATED.iter().filter(|gated| gated.drops(release, kind));
    let paths = off.flat_map(|gated| gated.paths.iter());
    paths.fold(defaulted, |object, path| {
        if without(arena, given, path).is_some() {
            return object;
        }
        without(arena, object, path).unwrap_or(object)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gate_that_is_off_drops_its_fields_unless_they_are_stored() {
        let driver = r#"{"apiVersion":"storage.k8s.io/v1","kind":"CSIDriver","metadata":{"name":"d"},"spec":{"preventPodSchedulingIfMissing":true}}"#;
        for (release, old, is_kept) in [(36, None, false), (36, Some(driver), true), (37, None, true)] {
            let arena = Arena::new();
            let read = |text| {
                let value = kindsmith_json::parse_str(&arena, text).expect("it is JSON");
                DecodedObject::of(&arena, value).expect("it has metadata")
            };
            let (mut object, old) = (read(driver), old.map(read));
            drop_fields(&arena, Release::minor(release), DRIVER, &mut object, old.as_ref());
            let found = object.get(&["spec", "preventPodSchedulingIfMissing"]);
            assert_eq!(found.is_some(), is_kept, "{release}");
        }
    }
}
