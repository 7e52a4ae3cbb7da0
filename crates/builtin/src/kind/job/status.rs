//! Validation of a job's status (`validateJobStatus` in pkg/apis/batch/validation/validation.go).

use std::collections::HashSet;

use kindsmith_object::BadValue;
use kindsmith_schema::Str;

use super::policy::{count_indexes, first_common_index};
use crate::Change;
use crate::field::{Errors, Field};
use crate::field_check::invalid;
use crate::go_value::internal;
use crate::go_value::json::is_same;

fn is_true(status: &Field<'_, '_>, name: &str) -> bool {
    has_condition(status, name, "True")
}

fn has_condition(status: &Field<'_, '_>, name: &str, value: &str) -> bool {
    let conditions = status.child("conditions");
    conditions
        .items()
        .any(|condition| condition.child("type").text() == name && condition.child("status").text() == value)
}

/// Validates a status alone and against the old one. Most rules count only when what they are about changes, so that a status
/// that was wrong before can still be written (`getStatusValidationOptions` in pkg/registry/batch/job/strategy.go).
pub(super) fn validate_status(change: &Change<'_>, errors: &mut Errors) {
    let status = Status {
        new: Field::root(change, "status"),
        old: Field::old_root(change, "status"),
        spec: Field::root(change, "spec"),
    };
    for key in ["active", "succeeded", "failed", "ready", "terminating"] {
        status.new.child(key).not_negative(errors);
    }
    validate_uncounted(&status.new, errors);
    validate_end(&status, errors);
    validate_finished(&status, errors);
    validate_indexes(&status, errors);
    validate_ready(&status, errors);
    validate_criteria(&status, errors);
    validate_update(&status, errors);
}

/// A status and what it is compared with.
struct Status<'p, 'v> {
    new: Field<'p, 'v>,
    old: Field<'p, 'v>,
    spec: Field<'p, 'v>,
}

impl Status<'_, '_> {
    fn is(&self, condition: &str) -> bool {
        is_true(&self.new, condition)
    }

    fn was(&self, condition: &str) -> bool {
        is_true(&self.old, condition)
    }

    /// Whether one of these conditions became true or ceased to be.
    fn turns(&self, conditions: &[&str]) -> bool {
        conditions.iter().any(|name| self.is(name) != self.was(name))
    }

    fn is_finished(&self) -> bool {
        self.is("Complete") || self.is("Failed")
    }

    /// Whether the job finishes, or one of these members changes.
    fn finishes_or_changes(&self, key: &str) -> bool {
        let was_finished = self.was("Complete") || self.was("Failed");
        was_finished != self.is_finished() || self.changes(key)
    }

    fn changes(&self, key: &str) -> bool {
        !is_same(self.new.child(key).value, self.old.child(key).value)
    }

    fn refuse(&self, detail: impl Into<Str>, errors: &mut Errors) {
        let conditions = self.new.child("conditions");
        errors.push(invalid(&conditions.path, BadValue::Omitted, detail));
    }
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

/// Conditions and times at the end of a job.
fn validate_end(status: &Status<'_, '_>, errors: &mut Errors) {
    for other in ["Failed", "FailureTarget"] {
        if status.turns(&["Complete", other]) && status.is("Complete") && status.is(other) {
            status.refuse(
                format!("cannot set Complete=True and {other}=true conditions"),
                errors,
            );
        }
    }
    let (start, end) = (status.new.child("startTime"), status.new.child("completionTime"));
    let (starts, ends) = (status.changes("startTime"), status.changes("completionTime"));
    if status.turns(&["Complete"]) || ends {
        match (end.is_set(), status.is("Complete")) {
            (true, false) => {
                let detail = "cannot set completionTime when there is no Complete=True condition";
                end.invalid(detail, errors);
            }
            (false, true) => end.required("completionTime is required for Complete jobs", errors),
            _ => {}
        }
    }
    // All times have the same format, so their texts can be compared.
    if (starts || ends) && start.is_set() && end.is_set() && end.text() < start.text() {
        end.invalid("must be equal to or after `startTime`", errors);
    }
    for (end, before, counts) in [
        (
            "Failed",
            "FailureTarget",
            status.turns(&["Failed"]) || status.changes("failedIndexes"),
        ),
        (
            "Complete",
            "SuccessCriteriaMet",
            status.turns(&["Complete", "SuccessCriteriaMet"]),
        ),
    ] {
        if counts && status.is(end) && !status.is(before) {
            let detail = format!("cannot set {end}=True condition without the {before}=true condition");
            status.refuse(detail, errors);
        }
    }
}

fn validate_finished(status: &Status<'_, '_>, errors: &mut Errors) {
    if !status.is_finished() {
        return;
    }
    let active = status.new.child("active");
    if status.finishes_or_changes("active") && active.number() > 0 {
        active.invalid("active>0 is invalid for finished job", errors);
    }
    let start = status.new.child("startTime");
    let completions = status.spec.child("completions");
    let never_starts =
        status.spec.child("suspend").truth() && completions.is_set() && completions.number() == 0;
    if status.finishes_or_changes("startTime") && !never_starts && !start.is_set() {
        start.required("startTime is required for finished job", errors);
    }
    let uncounted = status.new.child("uncountedTerminatedPods");
    let is_empty = ["succeeded", "failed"]
        .iter()
        .all(|key| uncounted.child(key).len() == 0);
    if status.finishes_or_changes("uncountedTerminatedPods") && !is_empty {
        let bad = internal::shown(
            uncounted.release,
            "batch/v1",
            "UncountedTerminatedPods",
            uncounted.value,
        );
        errors.push(invalid(&uncounted.path, bad, "must be empty for finished job"));
    }
}

fn validate_indexes(status: &Status<'_, '_>, errors: &mut Errors) {
    let (completed, failed) = (
        status.new.child("completedIndexes"),
        status.new.child("failedIndexes"),
    );
    let (completes, fails) = (
        status.changes("completedIndexes"),
        status.changes("failedIndexes"),
    );
    let completions = status.spec.child("completions");
    let has_limit = status.spec.child("backoffLimitPerIndex").is_set();
    for (key, indexes, is_checked) in [
        ("completedIndexes", &completed, completes),
        ("failedIndexes", &failed, fails && has_limit),
    ] {
        if !completions.is_set() || !is_checked {
            continue;
        }
        if let Err(problem) = count_indexes(indexes.text(), completions.number()) {
            indexes.invalid(format!("error parsing {key}: {problem}"), errors);
        }
    }
    if completes && !completed.is_blank() && status.spec.child("completionMode").text() != "Indexed" {
        let detail = "cannot set non-empty completedIndexes when non-indexed completion mode";
        completed.invalid(detail, errors);
    }
    if fails && failed.is_set() && !has_limit {
        let detail = "cannot set non-null failedIndexes when backoffLimitPerIndex is null";
        failed.invalid(detail, errors);
    }
    if (completes || fails)
        && completions.is_set()
        && let Some(index) = first_common_index(completed.text(), failed.text(), completions.number())
    {
        let detail = format!("failedIndexes and completedIndexes overlap at index: {index}");
        failed.invalid(detail, errors);
    }
}

fn validate_ready(status: &Status<'_, '_>, errors: &mut Errors) {
    let terminating = status.new.child("terminating");
    if status.is_finished() && status.finishes_or_changes("terminating") && terminating.number() > 0 {
        terminating.invalid("terminating>0 is invalid for finished job", errors);
    }
    let (ready, active) = (status.new.child("ready"), status.new.child("active"));
    let counts = status.changes("ready") || status.changes("active");
    if counts && ready.is_set() && ready.number() > active.number() {
        ready.invalid("cannot set more ready pods than active", errors);
    }
}

fn validate_criteria(status: &Status<'_, '_>, errors: &mut Errors) {
    let is_met = status.is("SuccessCriteriaMet");
    for other in ["Failed", "FailureTarget"] {
        if is_met && status.is(other) {
            let detail = format!("cannot set SuccessCriteriaMet=True and {other}=true conditions");
            status.refuse(detail, errors);
        }
    }
    if status.spec.child("successPolicy").is_set() && status.is("Complete") && !is_met {
        let detail = "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True";
        status.refuse(detail, errors);
    }
}

fn validate_update(status: &Status<'_, '_>, errors: &mut Errors) {
    for name in ["Failed", "Complete", "FailureTarget"] {
        if status.was(name) && !status.is(name) {
            status.refuse(
                format!("cannot disable the terminal {name}=True condition"),
                errors,
            );
        }
    }
    let spec = &status.spec;
    // The number of completions of such a job can be lowered.
    let can_shrink = spec.child("completionMode").text() == "Indexed"
        && is_same(spec.child("completions").value, spec.child("parallelism").value);
    for (key, is_fixed) in [("failed", true), ("succeeded", !can_shrink)] {
        let count = status.new.child(key);
        if is_fixed && count.number() < status.old.child(key).number() {
            count.invalid(format!("cannot decrease the {key} counter"), errors);
        }
    }
    let (end, old_end) = (
        status.new.child("completionTime"),
        status.old.child("completionTime"),
    );
    if end.is_set() && old_end.is_set() && end.text() != old_end.text() {
        end.invalid("field is immutable", errors);
    }
    let is_resumed = status.was("Suspended") && has_condition(&status.new, "Suspended", "False");
    let was_started = status.old.child("startTime").is_set();
    if was_started && status.changes("startTime") && !is_resumed && !spec.child("suspend").truth() {
        let start = status.new.child("startTime");
        start.invalid("field is immutable for unsuspended job once set", errors);
    }
    match (status.was("SuccessCriteriaMet"), status.is("SuccessCriteriaMet")) {
        (true, false) => status.refuse("cannot disable the SuccessCriteriaMet=True condition", errors),
        (false, true) if status.was("Complete") => {
            let detail = "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions";
            status.refuse(detail, errors);
        }
        _ => {}
    }
}
