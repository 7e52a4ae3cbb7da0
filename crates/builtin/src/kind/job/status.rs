//! Validation of a job's status (`validateJobStatus` in pkg/apis/batch/validation/validation.go).

use std::collections::HashSet;

use kindsmith_object::BadValue;

use super::policy::count_indexes;
use crate::Change;
use crate::field::{Errors, Field};
use crate::rule::invalid;

/// Conditions that cannot be true together.
const CONFLICTS: [(&str, &str, &str); 4] = [
    ("Complete", "Failed", "Complete=True and Failed=true"),
    (
        "Complete",
        "FailureTarget",
        "Complete=True and FailureTarget=true",
    ),
    (
        "SuccessCriteriaMet",
        "Failed",
        "SuccessCriteriaMet=True and Failed=true",
    ),
    (
        "SuccessCriteriaMet",
        "FailureTarget",
        "SuccessCriteriaMet=True and FailureTarget=true",
    ),
];

fn is_true(status: &Field<'_, '_>, name: &str) -> bool {
    status
        .child("conditions")
        .items()
        .any(|condition| condition.child("type").text() == name && condition.child("status").text() == "True")
}

/// Validates a status alone and against the old one.
pub(super) fn validate_status(change: &Change<'_>, errors: &mut Errors) {
    let (status, spec) = (Field::root(change, "status"), Field::root(change, "spec"));
    for key in ["active", "succeeded", "failed", "ready", "terminating"] {
        status.child(key).not_negative(errors);
    }
    validate_uncounted(&status, errors);
    validate_conditions(&status, &spec, errors);
    validate_finished(&status, errors);
    validate_indexes(&status, &spec, errors);
    let ready = status.child("ready");
    if ready.number() > status.child("active").number() {
        ready.invalid("cannot set more ready pods than active", errors);
    }
    validate_update(change, &status, &spec, errors);
}

fn validate_uncounted(status: &Field<'_, '_>, errors: &mut Errors) {
    let pods = status.child("uncountedTerminatedPods");
    let mut seen = HashSet::new();
    for key in ["succeeded", "failed"] {
        for uid in pods.child(key).items() {
            if uid.text().is_empty() {
                uid.invalid("must not be empty", errors);
            } else if !seen.insert(uid.text()) {
                uid.duplicate(errors);
            }
        }
    }
}

fn validate_conditions(status: &Field<'_, '_>, spec: &Field<'_, '_>, errors: &mut Errors) {
    let conditions = status.child("conditions");
    let mut refuse = |detail: String| errors.push(invalid(&conditions.path, BadValue::Omitted, detail));
    for (one, other, text) in CONFLICTS {
        if is_true(status, one) && is_true(status, other) {
            refuse(format!("cannot set {text} conditions"));
        }
    }
    for (end, before) in [("Failed", "FailureTarget"), ("Complete", "SuccessCriteriaMet")] {
        if is_true(status, end) && !is_true(status, before) {
            refuse(format!(
                "cannot set {end}=True condition without the {before}=true condition"
            ));
        }
    }
    let is_early = is_true(status, "Complete") && !is_true(status, "SuccessCriteriaMet");
    if spec.child("successPolicy").is_set() && is_early {
        refuse(
            "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True".to_owned(),
        );
    }
}

fn validate_finished(status: &Field<'_, '_>, errors: &mut Errors) {
    let (start, end) = (status.child("startTime"), status.child("completionTime"));
    let is_complete = is_true(status, "Complete");
    if end.is_set() && !is_complete {
        let detail = "cannot set completionTime when there is no Complete=True condition";
        end.invalid(detail, errors);
    }
    if !end.is_set() && is_complete {
        end.required("completionTime is required for Complete jobs", errors);
    }
    // All times have the same format, so their texts can be compared.
    if start.is_set() && end.is_set() && end.text() < start.text() {
        end.invalid("must be equal to or after `startTime`", errors);
    }
    if !is_complete && !is_true(status, "Failed") {
        return;
    }
    for key in ["active", "terminating"] {
        let pods = status.child(key);
        if pods.number() > 0 {
            pods.invalid(format!("{key}>0 is invalid for finished job"), errors);
        }
    }
    if !start.is_set() {
        start.required("startTime is required for finished job", errors);
    }
}

fn validate_indexes(status: &Field<'_, '_>, spec: &Field<'_, '_>, errors: &mut Errors) {
    let (completed, failed) = (status.child("completedIndexes"), status.child("failedIndexes"));
    let completions = spec.child("completions");
    let has_limit = spec.child("backoffLimitPerIndex").is_set();
    for (key, indexes, is_checked) in [
        ("completedIndexes", &completed, true),
        ("failedIndexes", &failed, has_limit),
    ] {
        if !completions.is_set() || !is_checked {
            continue;
        }
        if let Err(problem) = count_indexes(indexes.text(), completions.number()) {
            indexes.invalid(format!("error parsing {key}: {problem}"), errors);
        }
    }
    if !completed.text().is_empty() && spec.child("completionMode").text() != "Indexed" {
        let detail = "cannot set non-empty completedIndexes when non-indexed completion mode";
        completed.invalid(detail, errors);
    }
    if failed.is_set() && !has_limit {
        let detail = "cannot set non-null failedIndexes when backoffLimitPerIndex is null";
        failed.invalid(detail, errors);
    }
}

fn validate_update(change: &Change<'_>, status: &Field<'_, '_>, spec: &Field<'_, '_>, errors: &mut Errors) {
    let old = Field::old_root(change, "status");
    let conditions = status.child("conditions");
    for (name, text) in [
        ("Failed", "the terminal Failed=True"),
        ("Complete", "the terminal Complete=True"),
        ("FailureTarget", "the terminal FailureTarget=True"),
        ("SuccessCriteriaMet", "the SuccessCriteriaMet=True"),
    ] {
        if is_true(&old, name) && !is_true(status, name) {
            let detail = format!("cannot disable {text} condition");
            errors.push(invalid(&conditions.path, BadValue::Omitted, detail));
        }
    }
    for key in ["failed", "succeeded"] {
        let count = status.child(key);
        if count.number() < old.child(key).number() {
            count.invalid(format!("cannot decrease the {key} counter"), errors);
        }
    }
    let (end, old_end) = (status.child("completionTime"), old.child("completionTime"));
    if end.is_set() && old_end.is_set() && end.text() != old_end.text() {
        end.invalid("field is immutable", errors);
    }
    let (start, old_start) = (status.child("startTime"), old.child("startTime"));
    if old_start.is_set() && start.text() != old_start.text() && !spec.child("suspend").truth() {
        start.invalid("field is immutable for unsuspended job once set", errors);
    }
}
