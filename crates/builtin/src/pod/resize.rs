//! The subresource `resize`: changes the resources of a running pod (`ValidatePodResize` in
//! pkg/apis/core/validation/validation.go).

use kindsmith_json::{Arena, Path, Value};
use kindsmith_object::{BadValue, Behavior, Gate, Release};

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
pub(crate) fn keep_resizable<'a>(
    release: Release,
    arena: &'a Arena,
    new: Value<'a>,
    old: Value<'a>,
) -> Value<'a> {
    let number = |spec: Value<'_>, key: &str| items(spec.get(key)).len();
    if LISTS.iter().any(|key| number(new, key) != number(old, key)) {
        return new;
    }
    let mut kept = old;
    if release.enables(Gate::InPlacePodLevelResourcesVerticalScaling) {
        match new.get("resources").filter(|resources| !resources.is_null()) {
            Some(resources) => kept.set(arena, &["resources"], resources),
            None => {
                kept.unset(arena, &["resources"]);
            }
        }
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
    if let Some(detail) = refusal(change, &spec, &old) {
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
    if has_amounts(&spec) || has_amounts(&old) {
        if !change
            .release
            .enables(Gate::InPlacePodLevelResourcesVerticalScaling)
        {
            let detail = "resize of pods with pod-level resources is forbidden when \
                          InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled";
            return errors.push(forbidden(&Path::root(""), detail));
        }
        check_whole(&spec, &old, errors);
    }
    if !check_order(&spec, &old, errors) {
        return;
    }
    check_parts(&spec, &old, errors);
}

/// Why a pod cannot be resized at all.
fn refusal(change: &Change<'_>, spec: &Field<'_, '_>, old: &Field<'_, '_>) -> Option<&'static str> {
    let annotations = change.old.map(|old| old.meta.annotations).unwrap_or_default();
    let is_whole = || has_amounts(spec) || has_amounts(old);
    if !change.release.has(Behavior::ResizeNamesGate) && is_whole() {
        Some("pods with pod-level resources cannot be resized")
    } else if annotations.contains_key(MIRROR) {
        Some("static pods cannot be resized")
    } else if old.child("os").child("name").text() == "windows" {
        Some("windows pods cannot be resized")
    } else {
        None
    }
}

/// Whether a pod has pod-level resources.
fn has_amounts(spec: &Field<'_, '_>) -> bool {
    let resources = spec.child("resources");
    ["requests", "limits"]
        .iter()
        .any(|key| !entries(resources.child(key).value).is_empty())
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
    if old.is_set() && !new.is_set() {
        return new.forbidden("pod-level resources cannot be removed", errors);
    }
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
    for key in LISTS {
        for (new, old) in spec.child(key).items().zip(old.child(key).items()) {
            if key == "initContainers" {
                check_init(spec, &new, &old, errors);
                continue;
            }
            check_removed(&new, &old, errors);
            if !is_same_but_amounts(&new, &old) {
                spec.forbidden("only cpu and memory resources are mutable", errors);
            }
        }
    }
}

fn check_removed(new: &Field<'_, '_>, old: &Field<'_, '_>, errors: &mut Errors) {
    let (new, old) = (new.child("resources"), old.child("resources"));
    for key in ["requests", "limits"] {
        if is_removed(&new.child(key), &old.child(key)) {
            let detail = format!("resource {key} cannot be removed");
            new.child(key).forbidden(&detail, errors);
        }
    }
}

fn check_init(spec: &Field<'_, '_>, new: &Field<'_, '_>, old: &Field<'_, '_>, errors: &mut Errors) {
    let has_gate = spec
        .release
        .enables(Gate::InPlacePodVerticalScalingInitContainers);
    let is_sidecar = new.child("restartPolicy").text() == "Always";
    if has_gate || old.child("restartPolicy").text() == "Always" {
        check_removed(new, old, errors);
    }
    let is_same = shown(new, new.value) == shown(old, old.value);
    if !has_gate && !is_sidecar {
        if !is_same {
            spec.forbidden("resources for non-sidecar init containers are immutable", errors);
        }
        return;
    }
    if !is_same_but_amounts(new, old) {
        if has_gate {
            let detail = "only cpu and memory resources for init or sidecar containers are mutable";
            new.forbidden(detail, errors);
        } else {
            let detail = "only cpu and memory resources for sidecar containers are mutable";
            spec.forbidden(detail, errors);
        }
    }
    if is_same || is_sidecar {
        return;
    }
    for policy in new.child("resizePolicy").items() {
        if policy.child("restartPolicy").text() == "RestartContainer" {
            let detail =
                "non-sidecar init containers with a resize policy of RestartContainer cannot be resized";
            new.forbidden(detail, errors);
        }
    }
}

/// Whether two containers differ in nothing but amounts that can be resized.
fn is_same_but_amounts(new: &Field<'_, '_>, old: &Field<'_, '_>) -> bool {
    let arena = Arena::new();
    let mut left = new.value.unwrap_or_default();
    let amounts = masked(&arena, new.child("resources").value, old.child("resources").value);
    left.set(&arena, &["resources"], amounts);
    shown(new, Some(left)) == shown(old, old.value)
}

/// A container as messages show it, with all its members.
fn shown(field: &Field<'_, '_>, container: Option<Value<'_>>) -> BadValue {
    internal::shown(field.release, CORE, "Container", container)
}
