//! Updates of pods: which fields may change (`ValidatePodUpdate` in pkg/apis/core/validation/validation.go).

use kindsmith_json::{Arena, Value};

use super::spec::annotations;
use super::validate::validate_pod;
use super::{annotation, image};
use crate::Change;
use crate::field::{Errors, Field};
use crate::field_check::{entries, forbidden, invalid, items};
use crate::go_value::internal::{self, CORE};
use crate::go_value::json::as_json;
use crate::part::toleration::check_tolerations;

/// Members with their own rules for updates.
const FREE: [&str; 3] = ["activeDeadlineSeconds", "schedulingGates", "tolerations"];

/// Checks an update of a pod.
pub(crate) fn validate_update(change: &Change<'_>, errors: &mut Errors) {
    change.validate_metadata(errors);
    validate_pod(change, errors);
    let old_annotations = change.old.map(|old| old.meta.annotations).unwrap_or_default();
    annotation::check_unchanged(&annotations(change), old_annotations, errors);
    let (spec, old) = (Field::root(change, "spec"), Field::old_root(change, "spec"));
    annotation::check_again(change, &spec, errors);
    for key in ["containers", "initContainers"] {
        let list = spec.child(key);
        if list.len() != old.child(key).len() {
            return list.forbidden("pod updates may not add or remove containers", errors);
        }
        for container in list.items() {
            image::check_image(&container, errors);
            image::check_spaces(&container, errors);
        }
    }
    if !check_deadline(&spec, &old, errors) {
        return;
    }
    check_added(&spec.child("tolerations"), &old.child("tolerations"), errors);
    check_removed(
        &spec.child("schedulingGates"),
        &old.child("schedulingGates"),
        errors,
    );
    check_rest(&spec, &old, errors);
}

/// `activeDeadlineSeconds` can be set or lowered. Returns whether to check the rest.
fn check_deadline(spec: &Field<'_, '_>, old: &Field<'_, '_>, errors: &mut Errors) -> bool {
    const KEY: &str = "activeDeadlineSeconds";
    let (new, old) = (spec.child(KEY), old.child(KEY));
    let before = errors.len();
    if !new.is_set() {
        if old.is_set() {
            let detail = "must not update from a positive integer to nil value";
            errors.push(invalid(&new.path, kindsmith_object::BadValue::Nil, detail));
        }
        return true;
    }
    new.between(0, i64::from(i32::MAX), errors);
    if errors.len() == before && old.is_set() && old.number() < new.number() {
        new.invalid("must be less than or equal to previous value", errors);
    }
    errors.len() == before
}

/// Tolerations can be added; of existing ones only `tolerationSeconds` can change.
fn check_added(new: &Field<'_, '_>, old: &Field<'_, '_>, errors: &mut Errors) {
    let without_time = |toleration: &Field<'_, '_>| {
        ["key", "operator", "value", "effect"].map(|key| toleration.child(key).text().to_owned())
    };
    let known: Vec<[String; 4]> = new.items().map(|toleration| without_time(&toleration)).collect();
    if !old
        .items()
        .all(|toleration| known.contains(&without_time(&toleration)))
    {
        let detail = "existing toleration can not be modified except its tolerationSeconds";
        return new.forbidden(detail, errors);
    }
    check_tolerations(new, errors);
}

/// Scheduling gates can only be removed.
fn check_removed(new: &Field<'_, '_>, old: &Field<'_, '_>, errors: &mut Errors) {
    let known: Vec<&str> = old.items().map(|gate| gate.child("name").text()).collect();
    for gate in new.items() {
        let name = gate.child("name");
        if !known.contains(&name.text()) {
            let detail = format!(
                "only deletion is allowed, but found new scheduling gate '{}'",
                name.text()
            );
            name.forbidden(&detail, errors);
        }
    }
}

fn check_rest(spec: &Field<'_, '_>, old: &Field<'_, '_>, errors: &mut Errors) {
    let arena = Arena::new();
    let (Some(new_value), Some(old_value)) = (spec.value, old.value) else {
        return;
    };
    let mut left = masked(&arena, new_value, old_value);
    if !items(old_value.get("schedulingGates")).is_empty() {
        left = narrow(&arena, left, spec, old, errors);
    }
    if left == old_value || internal::is_same(spec.release, CORE, "PodSpec", left, old_value) {
        return;
    }
    let detail = "pod updates may not change fields other than `spec.containers[*].image`,\
                  `spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to \
                  existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was \
                  previously negative)\n";
    let diff = internal::difference(spec.release, CORE, "PodSpec", Some(old_value), Some(left));
    errors.push(forbidden(&spec.path, format!("{detail}{diff}")));
}

/// The new spec with the old values of all mutable fields.
fn masked<'a>(arena: &'a Arena, new: Value<'a>, old: Value<'a>) -> Value<'a> {
    let mut left = new;
    for key in FREE {
        put(arena, &mut left, key, old.get(key));
    }
    for key in ["containers", "initContainers"] {
        let mut images = items(old.get(key)).iter().map(|container| container.get("image"));
        let list = items(left.get(key)).to_vec();
        let list: Vec<Value<'a>> = list
            .into_iter()
            .map(|mut container| {
                put(arena, &mut container, "image", images.next().flatten());
                container
            })
            .collect();
        if !list.is_empty() {
            left.set(arena, &[key], Value::Array(arena.alloc_slice_copy(&list)));
        }
    }
    let grace = "terminationGracePeriodSeconds";
    let number = |value: Value<'_>| value.get(grace).and_then(Value::as_i64);
    if number(new) == Some(1) && number(old).is_some_and(|seconds| seconds < 0) {
        put(arena, &mut left, grace, old.get(grace));
    }
    left
}

fn put<'a>(arena: &'a Arena, holder: &mut Value<'a>, key: &'a str, value: Option<Value<'a>>) {
    match value {
        Some(value) => holder.set(arena, &[key], value),
        None => {
            holder.unset(arena, &[key]);
        }
    }
}

/// While a pod has scheduling gates, node selectors can be added and node affinity narrowed.
fn narrow<'a>(
    arena: &'a Arena,
    left: Value<'a>,
    spec: &Field<'_, 'a>,
    old: &Field<'_, 'a>,
    errors: &mut Errors,
) -> Value<'a> {
    let mut left = left;
    let (labels, old_labels) = (spec.child("nodeSelector"), old.child("nodeSelector"));
    let has_all = |(key, value): (&str, Value<'_>)| entries(labels.value).get(key) == Some(value);
    if !entries(old_labels.value).iter().all(has_all) {
        let detail = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
        errors.push(invalid(&labels.path, as_json(labels.value), detail));
    }
    put(arena, &mut left, "nodeSelector", old_labels.value);
    let affinity = spec.child("affinity");
    let old_affinity = old.child("affinity");
    check_terms(
        &affinity.child("nodeAffinity"),
        &old_affinity.child("nodeAffinity"),
        errors,
    );
    let nodes = old_affinity.child("nodeAffinity").value;
    let mut kept = entries(affinity.value);
    match nodes {
        Some(nodes) => {
            kept.insert(arena, "nodeAffinity", nodes);
        }
        None => {
            kept.remove(arena, "nodeAffinity");
        }
    }
    let is_gone = kept.is_empty() && !old_affinity.is_set();
    let kept = (!is_gone && (affinity.is_set() || !kept.is_empty())).then_some(Value::Object(kept));
    put(arena, &mut left, "affinity", kept);
    left
}

fn check_terms(new: &Field<'_, '_>, old: &Field<'_, '_>, errors: &mut Errors) {
    const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
    let (new_required, old_required) = (new.child(REQUIRED), old.child(REQUIRED));
    let (terms, old_terms) = (
        new_required.child("nodeSelectorTerms"),
        old_required.child("nodeSelectorTerms"),
    );
    if old_terms.len() == 0 {
        return;
    }
    if terms.len() != old_terms.len() {
        let bad = if terms.is_set() {
            internal::shown_list(terms.release, CORE, "NodeSelectorTerm", terms.value)
        } else {
            kindsmith_object::BadValue::Nil
        };
        let detail = "no additions/deletions to non-empty NodeSelectorTerms list are allowed";
        errors.push(invalid(&terms.path, bad, detail));
        return;
    }
    for (term, old_term) in terms.items().zip(old_terms.items()) {
        if !only_adds(&term, &old_term) {
            let bad = internal::shown(term.release, CORE, "NodeSelectorTerm", term.value);
            let detail = "only additions are allowed (no mutations or deletions)";
            errors.push(invalid(&term.path, bad, detail));
        }
    }
}

fn only_adds(new: &Field<'_, '_>, old: &Field<'_, '_>) -> bool {
    let lists = ["matchExpressions", "matchFields"];
    let is_empty = |term: &Field<'_, '_>| lists.iter().all(|key| term.child(key).len() == 0);
    if is_empty(old) && !is_empty(new) {
        return false;
    }
    lists.iter().all(|key| {
        let (new, old) = (items(new.child(key).value), items(old.child(key).value));
        new.starts_with(old)
    })
}
