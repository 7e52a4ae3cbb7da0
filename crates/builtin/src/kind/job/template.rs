//! What may change in the template of a job (`validatePodTemplateUpdate` in pkg/apis/batch/validation/validation.go).

use kindsmith_json::{Arena, Object, Value};
use kindsmith_object::Gate;

use crate::Change;
use crate::field::{Errors, Field};
use crate::field_check::{entries, immutable, items, text};
use crate::go_value::internal::{self, CORE};

/// Members of a pod that say where it runs.
const PLACES: [&str; 3] = ["nodeSelector", "tolerations", "schedulingGates"];

/// Checks the template of an update. A suspended job without running pods may change where pods run, and what they need.
pub(super) fn validate_template(
    change: &Change<'_>,
    spec: &Field<'_, '_>,
    old: &Field<'_, '_>,
    errors: &mut Errors,
) {
    let (template, old_template) = (spec.child("template"), old.child("template"));
    if !is_at_rest(change, old) {
        let show = |template: &Field<'_, '_>| {
            internal::shown(change.release, CORE, "PodTemplateSpec", template.value)
        };
        let values = (
            template.value.unwrap_or_default(),
            old_template.value.unwrap_or_default(),
        );
        if !internal::is_same(change.release, CORE, "PodTemplateSpec", values.0, values.1) {
            immutable(&template.path, show(&template), errors);
        }
        return;
    }
    if !change.release.enables(Gate::MutablePodResourcesForSuspendedJobs) {
        return validate_places(change, &template, &old_template, errors);
    }
    let arena = Arena::new();
    let (pod, old_pod) = (template.child("spec"), old_template.child("spec"));
    let new_value = pod.value.unwrap_or(Value::Object(Object::EMPTY));
    let old_value = old_pod.value.unwrap_or(Value::Object(Object::EMPTY));
    let expected = with_changes(&arena, old_value, new_value);
    let show = |value: Value<'_>| internal::shown(change.release, CORE, "PodSpec", Some(value));
    if !internal::is_same(change.release, CORE, "PodSpec", expected, new_value) {
        immutable(&pod.path, show(new_value), errors);
    }
}

/// Only where pods run may change; what they need stays.
fn validate_places(
    change: &Change<'_>,
    template: &Field<'_, '_>,
    old_template: &Field<'_, '_>,
    errors: &mut Errors,
) {
    let arena = Arena::new();
    let mut expected = old_template.value.unwrap_or_default();
    let new_value = template.value.unwrap_or_default();
    let (pod, old_pod) = (template.child("spec"), old_template.child("spec"));
    let old_pod = old_pod.value.unwrap_or(Value::Object(Object::EMPTY));
    let new_pod = pod.value.unwrap_or(Value::Object(Object::EMPTY));
    let mut places = with_changes(&arena, old_pod, new_pod);
    for key in ["containers", "initContainers"] {
        put(&arena, &mut places, key, old_pod.get(key));
    }
    expected.set(&arena, &["spec"], places);
    for key in ["labels", "annotations"] {
        let path = ["metadata", key];
        match new_value.lookup(&path) {
            Some(value) => expected.set(&arena, &path, value),
            None => {
                expected.unset(&arena, &path);
            }
        }
    }
    if !internal::is_same(change.release, CORE, "PodTemplateSpec", expected, new_value) {
        let shown = internal::shown(change.release, CORE, "PodTemplateSpec", template.value);
        immutable(&template.path, shown, errors);
    }
}

/// Is the job suspended, and are no pods left of it?
fn is_at_rest(change: &Change<'_>, old: &Field<'_, '_>) -> bool {
    let status = Field::old_root(change, "status");
    let is_suspended = |condition: &Value<'_>| {
        text(condition.get("type")) == "Suspended" && text(condition.get("status")) == "True"
    };
    let has_stopped = items(status.child("conditions").value).iter().any(is_suspended);
    let has_stopped = !status.child("startTime").is_set() || has_stopped;
    old.child("suspend").truth() && has_stopped && status.child("active").number() == 0
}

/// The old pod with all changes that are allowed.
fn with_changes<'a>(arena: &'a Arena, old: Value<'a>, new: Value<'a>) -> Value<'a> {
    let mut expected = old;
    for key in PLACES {
        put(arena, &mut expected, key, new.get(key));
    }
    let nodes = new.lookup(&["affinity", "nodeAffinity"]);
    let mut affinity = entries(old.get("affinity"));
    match nodes {
        Some(nodes) => affinity.insert(arena, "nodeAffinity", nodes),
        None => affinity.remove(arena, "nodeAffinity"),
    };
    let is_left = !affinity.is_empty() || new.get("affinity").is_some();
    put(
        arena,
        &mut expected,
        "affinity",
        is_left.then_some(Value::Object(affinity)),
    );
    for key in ["containers", "initContainers"] {
        let (new_list, old_list) = (items(new.get(key)), items(old.get(key)));
        if new_list.len() != old_list.len() || new_list.is_empty() {
            continue;
        }
        let list: Vec<Value<'a>> = new_list
            .iter()
            .zip(old_list)
            .map(|(new, old)| with_resources(arena, *new, *old))
            .collect();
        expected.set(arena, &[key], Value::Array(arena.alloc_slice_copy(&list)));
    }
    expected
}

fn with_resources<'a>(arena: &'a Arena, new: Value<'a>, old: Value<'a>) -> Value<'a> {
    let mut expected = old;
    if new.get("name") == old.get("name") {
        put(arena, &mut expected, "resources", new.get("resources"));
    }
    expected
}

fn put<'a>(arena: &'a Arena, holder: &mut Value<'a>, key: &'a str, value: Option<Value<'a>>) {
    match value {
        Some(value) => holder.set(arena, &[key], value),
        None => {
            holder.unset(arena, &[key]);
        }
    }
}
