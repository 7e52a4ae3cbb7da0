//! Pods (pkg/registry/core/pod/strategy.go).

use std::borrow::Cow;

use kindsmith_json::{Arena, Object, Value};
use kindsmith_object::{FieldError, Gate, Release};

use crate::edit::member;
use crate::field_check::{items, text};
use crate::kind::pod_table::{TABLE, completion};
use crate::table::{Completion, Table};
use crate::{Change, DecodedObject, Names, Preparation, Strategy, Subresource, pod};

#[derive(Debug)]
pub(crate) struct Pod;

/// Subresources: parts of the object, and connections to its node.
const PARTS: &[Subresource] = &[
    connected("attach", "PodAttachOptions", &["create", "get"]),
    connected("binding", "Binding", &["create"]),
    Subresource::of("ephemeralcontainers").untabled(),
    Subresource {
        kind: Some(("policy", "v1", "Eviction")),
        verbs: &["create"],
        ..Subresource::of("eviction")
    },
    connected("exec", "PodExecOptions", &["create", "get"]),
    connected("log", "Pod", &["get"]),
    connected("portforward", "PodPortForwardOptions", &["create", "get"]),
    Subresource::proxy("PodProxyOptions"),
    Subresource::of("resize").untabled(),
    Subresource::STATUS,
];

const fn connected(name: &'static str, kind: &'static str, verbs: &'static [&'static str]) -> Subresource {
    Subresource {
        kind: Some(("", "v1", kind)),
        verbs,
        ..Subresource::of(name)
    }
}

impl Strategy for Pod {
    fn short_names(&self) -> &'static [&'static str] {
        &["po"]
    }

    fn categories(&self) -> &'static [&'static str] {
        &["all"]
    }

    fn subresources(&self) -> &'static [Subresource] {
        PARTS
    }

    fn table(&self, _: &Names) -> Table {
        TABLE
    }

    fn completion(&self) -> Option<Completion> {
        Some(completion)
    }

    fn selectable_fields(&self, _: &Names) -> Option<&'static [&'static str]> {
        Some(&[
            "metadata.name",
            "metadata.namespace",
            "spec.nodeName",
            "spec.restartPolicy",
            "spec.schedulerName",
            "spec.serviceAccountName",
            "spec.hostNetwork",
            "status.phase",
            "status.podIP",
            "status.podIPs",
            "status.nominatedNodeName",
            "spec.host",
        ])
    }

    fn selectable_text<'a>(&self, field: &str, object: Value<'a>) -> Option<Cow<'a, str>> {
        let text = match field {
            "spec.host" => text(object.lookup(&["spec", "nodeName"])),
            "spec.hostNetwork" => {
                let is_shared = object.lookup(&["spec", "hostNetwork"]) == Some(Value::Bool(true));
                if is_shared { "true" } else { "false" }
            }
            "status.podIP" => {
                let first = items(object.lookup(&["status", "podIPs"])).first();
                first.map_or("", |address| text(address.get("ip")))
            }
            // It may be asked for, but never has a value.
            "status.podIPs" => "",
            _ => return None,
        };
        Some(text.into())
    }

    fn grace_period_seconds(&self, object: Value<'_>, requested: Option<i64>) -> Option<i64> {
        let own = || {
            object
                .lookup(&["spec", "terminationGracePeriodSeconds"])?
                .as_i64()
        };
        let is_on_node = !text(object.lookup(&["spec", "nodeName"])).is_empty();
        let has_ended = matches!(text(object.lookup(&["status", "phase"])), "Failed" | "Succeeded");
        Some(match requested.or_else(own).unwrap_or_default() {
            _ if !is_on_node || has_ended => 0,
            seconds if seconds < 0 => 1,
            seconds => seconds,
        })
    }

    fn reset_fields(&self, part: &str) -> &'static [&'static [&'static str]] {
        match part {
            "status" => &[
                &["metadata", "deletionTimestamp"],
                &["metadata", "ownerReferences"],
                &["spec"],
            ],
            "" => &[&["status"]],
            // The strategies of the others have filters, which are never used (pkg/registry/core/pod/storage/storage.go).
            _ => &[],
        }
    }

    fn pod_spec(&self) -> Option<&'static [&'static str]> {
        Some(&["spec"])
    }

    fn default<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        pod::default_pod(arena, object)
    }

    fn default_in<'a>(&self, release: Release, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let mut object = self.default(arena, object);
        if !release.enables(Gate::PodLevelResourcesFixDefaulting) {
            member(arena, &mut object, &["spec"], |spec| {
                pod::default_pod_resources(release, arena, spec)
            });
        }
        object
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, draft: &mut DecodedObject<'a>) {
        match (preparation.old, preparation.subresource) {
            (None, _) => prepare_new(preparation, draft),
            (Some(old), "status") => prepare_status(preparation, draft, old),
            (Some(old), part) => {
                prepare_update(preparation, draft, old, part);
                if !preparation.is_same(draft, old, "spec") {
                    draft.meta.generation = old.meta.generation.saturating_add(1);
                }
            }
        }
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        match (change.old, change.subresource) {
            (None, _) => pod::validate_new_pod(change, errors),
            (Some(_), "status") => pod::validate_status(change, errors),
            (Some(_), "ephemeralcontainers") => pod::validate_ephemeral(change, errors),
            (Some(_), "resize") => pod::validate_resize(change, errors),
            (Some(_), _) => pod::validate_update(change, errors),
        }
    }

    fn warnings(&self, change: &Change<'_>) -> Vec<String> {
        match (change.old, change.subresource) {
            (None, _) => pod::warnings(change.new.value(), change.release),
            (Some(_), "status") => pod::status_warnings(change),
            _ => Vec::new(),
        }
    }
}

/// Fields of a new pod that the server sets.
fn prepare_new<'a>(preparation: &Preparation<'_, 'a>, draft: &mut DecodedObject<'a>) {
    let arena = preparation.arena;
    draft.meta.generation = 1;
    draft.object.remove(arena, "status");
    let mut object = draft.value();
    let metadata = object.get("metadata").unwrap_or_default();
    let is_mirror = draft.meta.annotations.contains_key(pod::MIRROR);
    member(arena, &mut object, &["spec"], |spec| {
        let spec = if is_mirror {
            spec
        } else {
            with_account(arena, spec)
        };
        let spec = pod::merge_label_keys(arena, metadata, spec);
        let (spec, warnings) = pod::convert_armor(arena, metadata, spec);
        preparation.warnings.borrow_mut().extend(warnings);
        if preparation.release.enables(Gate::PodLevelResourcesFixDefaulting) {
            pod::default_pod_resources(preparation.release, arena, spec)
        } else {
            spec
        }
    });
    let spec = object.get("spec").unwrap_or_default();
    object.set(arena, &["status", "phase"], Value::Str("Pending"));
    if !items(spec.get("schedulingGates")).is_empty() {
        let condition = gated(arena, preparation.now);
        let conditions = arena.alloc_slice_copy(&[condition]);
        object.set(arena, &["status", "conditions"], Value::Array(conditions));
    }
    let class = pod::quality_in(preparation.release, spec);
    object.set(arena, &["status", "qosClass"], Value::Str(class));
    draft.object = object.as_object().unwrap_or(draft.object);
}

/// The condition of a pod with scheduling gates.
fn gated<'a>(arena: &'a Arena, now: &'a str) -> Value<'a> {
    let mut condition = Value::Object(Object::EMPTY);
    for (key, value) in [
        ("type", Value::Str("PodScheduled")),
        ("status", Value::Str("False")),
        ("lastProbeTime", Value::Null),
        ("lastTransitionTime", Value::Str(now)),
        ("reason", Value::Str("SchedulingGated")),
        (
            "message",
            Value::Str("Scheduling is blocked due to non-empty scheduling gates"),
        ),
    ] {
        condition.set(arena, &[key], value);
    }
    condition
}

/// The fields that a write keeps from the stored pod, by subresource.
fn prepare_update<'a>(
    preparation: &Preparation<'_, 'a>,
    draft: &mut DecodedObject<'a>,
    old: &DecodedObject<'a>,
    part: &str,
) {
    let arena = preparation.arena;
    draft.restore(arena, "status", old);
    let (new_spec, old_spec) = (draft.get(&["spec"]), old.get(&["spec"]));
    let (Some(new_spec), Some(old_spec)) = (new_spec, old_spec) else {
        return;
    };
    let spec = match part {
        "ephemeralcontainers" => {
            draft.reset_metadata(old);
            with_ephemeral(arena, old_spec, new_spec.get("ephemeralContainers"))
        }
        "resize" => {
            draft.reset_metadata(old);
            pod::keep_resizable(preparation.release, arena, new_spec, old_spec)
        }
        _ => new_spec,
    };
    let spec = if preparation.release.enables(Gate::PodLevelResourcesFixDefaulting) {
        let spec = with_resources(arena, spec, old_spec);
        if part == "resize" {
            pod::default_pod_resources(preparation.release, arena, spec)
        } else {
            spec
        }
    } else {
        spec
    };
    draft.object.insert(arena, "spec", spec);
}

/// Pod-level resources that are left out keep their old value.
fn with_resources<'a>(arena: &'a Arena, spec: Value<'a>, old_spec: Value<'a>) -> Value<'a> {
    let mut spec = spec;
    let resources = old_spec.get("resources").filter(|value| !value.is_null());
    if let Some(resources) = resources.filter(|_| spec.get("resources").is_none_or(Value::is_null)) {
        spec.set(arena, &["resources"], resources);
    }
    spec
}

fn with_ephemeral<'a>(arena: &'a Arena, spec: Value<'a>, containers: Option<Value<'a>>) -> Value<'a> {
    let mut spec = spec;
    match containers {
        Some(containers) => spec.set(arena, &["ephemeralContainers"], containers),
        None => {
            spec.unset(arena, &["ephemeralContainers"]);
        }
    }
    spec
}

/// A status update keeps fields that older writers do not know.
fn prepare_status<'a>(
    preparation: &Preparation<'_, 'a>,
    draft: &mut DecodedObject<'a>,
    old: &DecodedObject<'a>,
) {
    let arena = preparation.arena;
    const KEPT: [&str; 5] = [
        "qosClass",
        "resourceClaimStatuses",
        "extendedResourceClaimStatus",
        "nodeAllocatableResourceClaimStatuses",
        "observedGeneration",
    ];
    draft.restore(arena, "spec", old);
    draft.meta.deletion_timestamp = None;
    draft.meta.owner_references = old.meta.owner_references;
    let mut object = draft.value();
    for key in KEPT {
        let path = ["status", key];
        let is_left_out = object.lookup(&path).is_none_or(Value::is_null);
        if let Some(value) = old.get(&path).filter(|_| is_left_out) {
            object.set(arena, &path, value);
        }
    }
    let before = old.get(&["status"]).unwrap_or_default();
    member(arena, &mut object, &["status"], |status| {
        pod::drop_gated_status(arena, preparation.release, status, before)
    });
    draft.object = object.as_object().unwrap_or(draft.object);
}

/// The older name of the service account repeats the newer one.
fn with_account<'a>(arena: &'a Arena, spec: Value<'a>) -> Value<'a> {
    let mut spec = spec;
    if !text(spec.get("serviceAccountName")).is_empty() {
        let account = spec.get("serviceAccountName").unwrap_or_default();
        spec.set(arena, &["serviceAccount"], account);
    }
    spec
}
