//! The subresource `resize`: changes the resources of a running pod (`ValidatePodResize` in
//! pkg/apis/core/validation/validation.go).

use kindsmith_json::{Arena, Path, Value};
use kindsmith_object::{Behavior, Gate};

use super::qos;
use super::spec::MIRROR;
use super::validate::validate_pod;
use crate::Change;
use crate::field::{Errors, Field};
use crate::field_check::{entries, forbidden, invalid_text, items, text};
use crate::go_value::internal::{self, CORE};

/// The members of a container that a resize may change.
const TAKEN: [&str; 2] = ["resources", "resizePolicy"];
const LISTS: [&str; 2] = ["containers", "initContainers"];

/// The old spec with the new resources: a resize ignores everything else.
pub(crate) fn keep_resizable<'a>(arena: &'a Arena, new: Value<'a>, old: Value<'a>) -> Value<'a> {
    let number = |spec: Value<'_>, key: &str| items(spec.get(key)).len();
    if LISTS.iter().any(|key| number(new, key) != number(old, key)) {
        return new;
    }
    let mut kept = old;
    // Pod-level resources that are left out keep their old value.
    if let Some(resources) = new.get("resources").filter(|resources| !resources.is_null()) {
        kept.set(arena, &["resources"], resources);
    }
    for key in LISTS {
        let (new, old) = (items(new.get(key)), items(old.get(key)));
        let is_reordered = new
            .iter()
            .zip(old)
            .any(|(new, old)| new.get("name") != old.get("name"));
        let list: Vec<Value<'a>> = if is_reordered {
            new.to_vec()
        } else {
            new.iter()
                .zip(old)
                .map(|(new, old)| taken(arena, *new, *old))
                .collect()
        };
        if !list.is_empty() {
            kept.set(arena, &[key], Value::Array(arena.alloc_slice_copy(&list)));
        }
    }
    kept
}

fn taken<'a>(arena: &'a Arena, new: Value<'a>, old: Value<'a>) -> Value<'a> {
    let mut kept = old;
    for key in TAKEN {
        match new.get(key) {
            Some(value) => kept.set(arena, &[key], value),
            None => {
                kept.unset(arena, &[key]);
            }
        }
    }
    kept
}

/// Checks a resize.
pub(crate) fn validate_resize(change: &Change<'_>, errors: &mut Errors) {
    let (spec, old) = (Field::root(change, "spec"), Field::old_root(change, "spec"));
    let old_annotations = change.old.map(|old| old.meta.annotations).unwrap_or_default();
    let refusal = if old_annotations.contains_key(MIRROR) {
        Some("static pods cannot be resized")
    } else if old.child("os").child("name").text() == "windows" {
        Some("windows pods cannot be resized")
    } else if old.child("resources").is_set()
        && !change
            .release
            .enables(Gate::InPlacePodLevelResourcesVerticalScaling)
    {
        if change.release.has(Behavior::ResizeNamesGate) {
            Some(
                "resize of pods with pod-level resources is forbidden when \
                 InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled",
            )
        } else {
            Some("pods with pod-level resources cannot be resized")
        }
    } else {
        None
    };
    if let Some(detail) = refusal {
        return errors.push(forbidden(&Path::root(""), detail));
    }
    change.validate_metadata(errors);
    validate_pod(change, errors);
    let class = text(change.get_old(&["status", "qosClass"]));
    if class != qos::quality_in(change.release, spec.value.unwrap_or_default()) {
        let detail = "Pod QOS Class may not change as a result of resizing";
        errors.push(invalid_text(&spec.path, class, detail));
    }
    if !is_supported(change) {
        spec.forbidden("Pod running on node without support for resize", errors);
    }
    check_whole(&spec, &old, errors);
    if !check_order(&spec, &old, errors) {
        return;
    }
    check_parts(&spec, &old, errors);
}

/// A node that supports resizing reports the resources of running containers.
fn is_supported(change: &Change<'_>) -> bool {
    let statuses = items(change.get_old(&["status", "containerStatuses"]));
    let is_there = |value: Option<Value<'_>>| value.is_some_and(|value| !value.is_null());
    let mut running = statuses
        .iter()
        .filter(|status| is_there(status.lookup(&["state", "running"])));
    running
        .next()
        .is_none_or(|status| is_there(status.get("resources")))
}

/// The new resources with the old amounts of everything that can be resized.
fn masked<'a>(arena: &'a Arena, new: Option<Value<'a>>, old: Option<Value<'a>>) -> Value<'a> {
    let mut left = new.unwrap_or_default();
    for key in ["limits", "requests"] {
        let before = entries(old.and_then(|old| old.get(key)));
        let mut amounts = entries(left.get(key));
        for name in ["cpu", "memory"] {
            match before.get(name) {
                Some(amount) => amounts.insert(arena, name, amount),
                None => amounts.remove(arena, name),
            };
        }
        if amounts.is_empty() {
            left.unset(arena, &[key]);
        } else {
            left.set(arena, &[key], Value::Object(amounts));
        }
    }
    left
}

fn is_removed(new: &Field<'_, '_>, old: &Field<'_, '_>) -> bool {
    let amounts = entries(new.value);
    entries(old.value).keys().any(|name| !amounts.contains_key(name))
}

fn check_whole(spec: &Field<'_, '_>, old: &Field<'_, '_>, errors: &mut Errors) {
    let (new, old) = (spec.child("resources"), old.child("resources"));
    for key in ["requests", "limits"] {
        if is_removed(&new.child(key), &old.child(key)) {
            let detail = format!("pod-level resource {key} cannot be removed");
            new.child(key).forbidden(&detail, errors);
        }
    }
    let arena = Arena::new();
    let show = |value| internal::shown(new.release, CORE, "ResourceRequirements", value);
    let left = masked(&arena, new.value, old.value);
    if show(Some(left)) != show(old.value) {
        spec.forbidden("only cpu and memory resources are mutable at pod-level", errors);
    }
}

/// Whether the containers are the same, in the same order; if not, adds the error.
fn check_order(spec: &Field<'_, '_>, old: &Field<'_, '_>, errors: &mut Errors) -> bool {
    let before = errors.len();
    for key in LISTS {
        let (new, old) = (spec.child(key), old.child(key));
        if new.len() != old.len() {
            new.forbidden(&format!("{key} may not be added or removed on resize"), errors);
            continue;
        }
        for (new, old) in new.items().zip(old.items()) {
            let name = new.child("name");
            if name.text() != old.child("name").text() {
                name.forbidden(
                    &format!("{key} may not be renamed or reordered on resize"),
                    errors,
                );
            }
        }
    }
    errors.len() == before
}

fn check_parts(spec: &Field<'_, '_>, old: &Field<'_, '_>, errors: &mut Errors) {
    let arena = Arena::new();
    for key in LISTS {
        let is_init = key == "initContainers";
        for (new, old) in spec.child(key).items().zip(old.child(key).items()) {
            let (resources, old_resources) = (new.child("resources"), old.child("resources"));
            for key in ["requests", "limits"] {
                if is_removed(&resources.child(key), &old_resources.child(key)) {
                    let detail = format!("resource {key} cannot be removed");
                    resources.child(key).forbidden(&detail, errors);
                }
            }
            let mut left = new.value.unwrap_or_default();
            let amounts = masked(&arena, resources.value, old_resources.value);
            let is_fixed = is_init
                && new.child("restartPolicy").text() != "Always"
                && !spec
                    .release
                    .enables(Gate::InPlacePodVerticalScalingInitContainers);
            if !is_fixed {
                left.set(&arena, &["resources"], amounts);
            }
            let show = |value| internal::shown(new.release, CORE, "Container", value);
            if show(Some(left)) == show(old.value) {
                continue;
            }
            if is_init
                && !spec
                    .release
                    .enables(Gate::InPlacePodVerticalScalingInitContainers)
            {
                let detail = if old.child("restartPolicy").text() == "Always" {
                    "only cpu and memory resources for sidecar containers are mutable"
                } else {
                    "resources for non-sidecar init containers are immutable"
                };
                spec.forbidden(detail, errors);
            } else if is_init {
                let detail = "only cpu and memory resources for init or sidecar containers are mutable";
                new.forbidden(detail, errors);
            } else {
                spec.forbidden("only cpu and memory resources are mutable", errors);
            }
        }
    }
}
