//! What may change in the template of a job (`validatePodTemplateUpdate` in pkg/apis/batch/validation/validation.go).

use kindsmith_json::{Arena, ArrayEdit, Value};

use crate::field::{Errors, Field};
use crate::rule::{as_json, immutable, items, text};
use crate::{Change, internal};

/// Where pods run, and what they are called.
const SCHEDULING: [&[&str]; 5] = [
    &["spec", "nodeSelector"],
    &["spec", "tolerations"],
    &["spec", "schedulingGates"],
    &["metadata", "annotations"],
    &["metadata", "labels"],
];

/// Checks that the template stays. While a job is suspended and has no pods, it may change where they run, and what their
/// containers need.
pub(super) fn validate_update(
    change: &Change<'_>,
    spec: &Field<'_, '_>,
    old: &Field<'_, '_>,
    errors: &mut Errors,
) {
    let arena = Arena::new();
    let template = spec.child("template");
    let new_value = template.value.unwrap_or_default();
    let mut before = old.child("template").value.unwrap_or_default();
    let is_suspended = old.child("suspend").truth();
    let is_open = is_suspended && !has_run(change);
    if is_open {
        for path in SCHEDULING {
            copy(&arena, &mut before, new_value, path);
        }
        copy_affinity(&arena, &mut before, new_value);
    }
    if !is_open {
        if as_json(Some(new_value)) != as_json(Some(before)) {
            let shown = internal::shown("core/v1", "PodTemplateSpec", template.value);
            immutable(&template.path, shown, errors);
        }
        return;
    }
    for key in ["containers", "initContainers"] {
        copy_resources(&arena, &mut before, new_value, key);
    }
    let pod = template.child("spec");
    if as_json(pod.value) != as_json(before.get("spec")) {
        let shown = internal::shown("core/v1", "PodSpec", pod.value);
        immutable(&spec.path.child("template.spec"), shown, errors);
    }
}

/// Has the job started, and not yet been suspended?
fn has_run(change: &Change<'_>) -> bool {
    let started = change.get_old(&["status", "startTime"]).is_some();
    let conditions = items(change.get_old(&["status", "conditions"]));
    let is_suspended = conditions.iter().any(|condition| {
        text(condition.get("type")) == "Suspended" && text(condition.get("status")) == "True"
    });
    started && !is_suspended
}

fn copy<'a>(arena: &'a Arena, to: &mut Value<'a>, from: Value<'a>, path: &[&'a str]) {
    match from.lookup(path) {
        Some(value) => to.set(arena, path, value),
        None => {
            to.unset(arena, path);
        }
    }
}

fn copy_affinity<'a>(arena: &'a Arena, to: &mut Value<'a>, from: Value<'a>) {
    let (whole, nodes) = (["spec", "affinity"], ["spec", "affinity", "nodeAffinity"]);
    copy(arena, to, from, &nodes);
    let is_empty = |value: Option<Value<'a>>| {
        value.is_some_and(|value| value.as_object().is_some_and(|object| object.is_empty()))
    };
    if is_empty(to.lookup(&whole)) && from.lookup(&whole).is_none() {
        to.unset(arena, &whole);
    } else if to.lookup(&whole).is_none() && is_empty(from.lookup(&whole)) {
        copy(arena, to, from, &whole);
    }
}

/// Containers of the same name get the resources of the new ones, if there are as many.
fn copy_resources<'a>(arena: &'a Arena, to: &mut Value<'a>, from: Value<'a>, key: &'static str) {
    let path = ["spec", key];
    let (old, new) = (items(to.lookup(&path)), items(from.lookup(&path)));
    if old.len() != new.len() {
        return;
    }
    let mut edit = ArrayEdit::new(arena, old);
    for (index, (old, new)) in old.iter().zip(new).enumerate() {
        if text(old.get("name")) == text(new.get("name")) {
            let mut container = *old;
            copy(arena, &mut container, *new, &["resources"]);
            edit.set(index, container);
        }
    }
    if edit.is_changed() {
        to.set(arena, &path, Value::Array(edit.finish()));
    }
}
