//! Validation of jobs, alone and in CronJobs (`ValidateJobSpec` in pkg/apis/batch/validation/validation.go).

use kindsmith_json::{Arena, Object, Value};
use kindsmith_object::BadValue;
use kindsmith_object::meta::NameRule;

use super::policy::{failure_policy, success_policy, validate_failure_policy, validate_success_policy};
use super::{NAME_LABELS, UID_LABELS};
use crate::field::{Errors, Field};
use crate::field_check::{
    entries, immutable, invalid, invalid_text, name_problems, not_supported, required, too_long,
};
use crate::go_value::json::as_json;
use crate::go_value::json::is_same;
use crate::part::selector::matches;
use crate::types::{declared, words};
use crate::{Change, pod};

const COUNTS: [&str; 7] = [
    "parallelism",
    "completions",
    "activeDeadlineSeconds",
    "backoffLimit",
    "ttlSecondsAfterFinished",
    "backoffLimitPerIndex",
    "maxFailedIndexes",
];

/// Validates a job, and an update of one.
pub(super) fn validate_job(change: &Change<'_>, errors: &mut Errors) {
    let spec = Field::root(change, "spec");
    if change.old.is_none() {
        validate_generated(change, &spec, errors);
    }
    validate_job_spec(&spec, errors);
    let selector = spec.child("selector");
    if !selector.is_set() {
        selector.required("", errors);
    }
    let before = errors.len();
    selector.selector(errors);
    let template = spec.child("template");
    let metadata = template.child("metadata");
    let labels = metadata.child("labels");
    let is_matched = selector
        .value
        .is_some_and(|selector| matches(selector, entries(labels.value)));
    if errors.len() == before && !is_matched {
        labels.invalid("`selector` does not match template `labels`", errors);
    }
    validate_hostnames(change, &spec, errors);
    if change.old.is_some() {
        validate_update(change, &spec, &Field::old_root(change, "spec"), errors);
    }
}

/// A generated selector must select the generated labels.
fn validate_generated(change: &Change<'_>, spec: &Field<'_, '_>, errors: &mut Errors) {
    if spec.child("manualSelector").truth() || !spec.child("selector").is_set() {
        return;
    }
    let (name, uid) = (change.new.meta.name, change.new.meta.uid);
    let template = spec.child("template");
    let metadata = template.child("metadata");
    let labels = metadata.child("labels");
    let order = [
        (UID_LABELS[0], uid),
        (NAME_LABELS[0], name),
        (UID_LABELS[1], uid),
        (NAME_LABELS[1], name),
    ];
    for (label, expected) in order {
        let path = labels.path.key(label);
        match labels.child(label).value.and_then(Value::as_str) {
            None => errors.push(required(&labels.path, &format!("must be '{expected}'"))),
            Some(found) if found != expected => {
                let detail = format!("must be '{expected}'");
                errors.push(invalid(&path, as_json(labels.value), detail));
            }
            Some(_) => {}
        }
    }
    let selector = spec.child("selector");
    let mut faults = Vec::new();
    selector.selector(&mut faults);
    let arena = Arena::new();
    let mut generated = Object::EMPTY;
    for (label, text) in order {
        generated.insert(&arena, label, Value::Str(text));
    }
    let selects = |selector| matches(selector, generated);
    if faults.is_empty() && !selector.value.is_some_and(selects) {
        selector.invalid("`selector` not auto-generated", errors);
    }
}

/// The hostnames of an indexed job's pods consist of the job's name and an index.
fn validate_hostnames(change: &Change<'_>, spec: &Field<'_, '_>, errors: &mut Errors) {
    let completions = spec.child("completions").number();
    if spec.child("completionMode").text() != "Indexed" || completions <= 0 {
        return;
    }
    let name = change.new.meta.name;
    let host = format!("{name}-{}", completions - 1);
    if !name_problems(NameRule::Label, &host).is_empty() {
        let metadata = Field::root(change, "metadata");
        let detail = format!("will not able to create pod with invalid DNS label: {host}");
        errors.push(invalid_text(&metadata.path.child("name"), name, detail));
    }
}

/// Validates the spec of a job alone.
pub(in crate::kind) fn validate_job_spec(spec: &Field<'_, '_>, errors: &mut Errors) {
    for key in COUNTS {
        spec.child(key).not_negative(errors);
    }
    let per_index = spec.child("backoffLimitPerIndex");
    if spec.child("maxFailedIndexes").is_set() && !per_index.is_set() {
        per_index.required("when maxFailedIndexes is specified", errors);
    }
    let manager = spec.child("managedBy");
    if manager.is_set() {
        manager.domain_path(errors);
        if manager.text().len() > 63 {
            errors.push(too_long(&manager.path, 63));
        }
    }
    validate_mode(spec, errors);
    let failure = spec.child("podFailurePolicy");
    if failure.is_set() {
        validate_failure_policy(spec, errors);
    }
    let success = spec.child("successPolicy");
    if success.is_set() {
        if spec.child("completionMode").text() == "Indexed" {
            validate_success_policy(spec, errors);
        } else {
            let bad = success_policy(&success);
            errors.push(invalid(&success.path, bad, "requires indexed completion mode"));
        }
    }
    let replacement = spec.child("podReplacementPolicy");
    if replacement.is_set() {
        let known: &[&str] = if failure.is_set() {
            &["Failed"]
        } else {
            words("batch/v1.PodReplacementPolicy")
        };
        replacement.one_of(known, errors);
    }
    let template = spec.child("template");
    pod::validate_template(
        template.value.unwrap_or_default(),
        &template.path,
        template.release,
        errors,
    );
    validate_restart(&template, failure.is_set(), errors);
}

fn validate_mode(spec: &Field<'_, '_>, errors: &mut Errors) {
    const MOST: i64 = 100_000;
    const FEW: i64 = 10_000;
    let mode = spec.child("completionMode");
    if mode.is_set() {
        mode.one_of(declared("batch/v1.CompletionMode"), errors);
    }
    let (completions, parallelism, failed, per_index) = (
        spec.child("completions"),
        spec.child("parallelism"),
        spec.child("maxFailedIndexes"),
        spec.child("backoffLimitPerIndex"),
    );
    if !mode.is_set() || mode.text() == "NonIndexed" {
        for field in [per_index, failed] {
            if field.is_set() {
                field.invalid("requires indexed completion mode", errors);
            }
        }
    }
    if mode.text() != "Indexed" {
        return;
    }
    if !completions.is_set() {
        completions.required("when completion mode is Indexed", errors);
    }
    if parallelism.number() > MOST {
        let detail = format!("must be less than or equal to {MOST} when completion mode is Indexed");
        parallelism.invalid(detail, errors);
    }
    if completions.is_set() && failed.number() > completions.number() {
        failed.invalid("must be less than or equal to completions", errors);
    }
    if failed.number() > MOST {
        failed.invalid(format!("must be less than or equal to {MOST}"), errors);
    }
    if completions.number() > MOST && per_index.is_set() {
        if !failed.is_set() {
            failed.required(
                &format!("must be specified when completions is above {MOST}"),
                errors,
            );
        }
        for field in [parallelism, failed] {
            if field.number() > FEW {
                let detail = format!(
                    "must be less than or equal to {FEW} when completions are above {MOST} and used with backoff limit per \
                     index"
                );
                field.invalid(detail, errors);
            }
        }
    }
}

fn validate_restart(template: &Field<'_, '_>, has_policy: bool, errors: &mut Errors) {
    let spec = template.child("spec");
    let restart = spec.child("restartPolicy");
    match restart.text() {
        "Always" | "" => restart.required("valid values: \"OnFailure\", \"Never\"", errors),
        "OnFailure" if has_policy => {
            restart.invalid(
                "only \"Never\" is supported when podFailurePolicy is specified",
                errors,
            );
        }
        "OnFailure" | "Never" => {}
        other => errors.push(not_supported(&restart.path, other, &["OnFailure", "Never"])),
    }
}

/// How an error shows a field.
type Print = fn(&Field<'_, '_>) -> BadValue;

fn validate_update(change: &Change<'_>, spec: &Field<'_, '_>, old: &Field<'_, '_>, errors: &mut Errors) {
    let (completions, before) = (spec.child("completions"), old.child("completions"));
    if spec.child("completionMode").text() != "Indexed" {
        completions.unchanged(&before, errors);
    } else if completions.is_set()
        && completions.number() != before.number()
        && completions.number() != spec.child("parallelism").number()
    {
        completions.invalid("can only be modified in tandem with spec.parallelism", errors);
    }
    spec.child("selector").unchanged(&old.child("selector"), errors);
    super::template::validate_template(change, spec, old, errors);
    let fixed: [(&str, Print); 5] = [
        ("completionMode", |field| field.shown()),
        ("podFailurePolicy", failure_policy),
        ("backoffLimitPerIndex", |field| field.shown()),
        ("managedBy", |field| field.shown()),
        ("successPolicy", success_policy),
    ];
    for (key, print) in fixed {
        let (new, old) = (spec.child(key), old.child(key));
        if !is_same(new.value, old.value) {
            immutable(&new.path, print(&new), errors);
        }
    }
}
