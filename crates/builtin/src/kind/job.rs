//! Jobs (pkg/registry/batch/job/strategy.go and pkg/apis/batch/v1/defaults.go).

mod policy;
mod spec;
mod status;
mod template;

use std::borrow::Cow;

use kindsmith_gostd::quote::quote;
use kindsmith_json::{Arena, Object, Value};
use kindsmith_object::Gate;
use kindsmith_object::meta::NameRule;

use super::described::Described;
use super::workload::default_template;
use crate::edit::{each, member};
use crate::field::{Errors, Field};
use crate::field_check::{entries, text, truth};
use crate::table::{Heading, Row, Table, column};
use crate::{Change, DecodedObject, GarbageCollection, Names, Preparation, Strategy, Subresource, pod};

pub(super) use spec::validate_job_spec;

#[derive(Debug)]
pub(crate) struct Job;

/// Feature gates that the tags of jobs refer to.
pub(super) const GATES: &[Gate] = &[Gate::WorkloadWithJob];

/// The labels of a job's pods: with its name, and with its UID.
const NAME_LABELS: [&str; 2] = ["job-name", "batch.kubernetes.io/job-name"];
const UID_LABELS: [&str; 2] = ["controller-uid", "batch.kubernetes.io/controller-uid"];

/// The name under which selectors know `status.succeeded`.
const SUCCESSFUL: &str = "status.successful";

impl Strategy for Job {
    fn table(&self, _: &Names) -> Table {
        Table {
            headings: HEADINGS,
            cells,
        }
    }

    /// pkg/apis/batch/v1/conversion.go.
    fn selectable_fields(&self, _: &Names) -> Option<&'static [&'static str]> {
        Some(&["metadata.name", "metadata.namespace", SUCCESSFUL])
    }

    fn selectable_text<'a>(&self, field: &str, object: Value<'a>) -> Option<Cow<'a, str>> {
        let succeeded = object.lookup(&["status", "succeeded"]).and_then(Value::as_i64);
        (field == SUCCESSFUL).then(|| succeeded.unwrap_or_default().to_string().into())
    }

    fn not_selectable(&self, field: &str) -> String {
        format!("field label {} not supported for Job", quote(field))
    }

    fn categories(&self) -> &'static [&'static str] {
        &["all"]
    }

    fn subresources(&self) -> &'static [Subresource] {
        &[Subresource::STATUS]
    }

    fn garbage_collection(&self) -> GarbageCollection {
        GarbageCollection::Orphan
    }

    fn deletion_warning(&self) -> Option<&'static str> {
        Some(
            "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or \
             set propagationPolicy=Orphan to suppress this warning",
        )
    }

    fn reset_fields(&self, part: &str) -> &'static [&'static [&'static str]] {
        Described::STATUS.reset_fields(part)
    }

    fn pod_spec(&self) -> Option<&'static [&'static str]> {
        Some(&["spec", "template", "spec"])
    }

    fn default<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let mut object = object;
        default_template(arena, &mut object, &["spec", "template"]);
        let spec = object.get("spec").filter(|spec| !spec.is_null());
        let spec = default_spec(arena, spec.unwrap_or(Value::Object(Object::EMPTY)));
        object.set(arena, &["spec"], spec);
        object
    }

    /// A job without labels has those of its pods. In Go both are one map, and here one value.
    fn default_written<'a>(&self, arena: &'a Arena, object: Value<'a>, _: &'a str) -> Value<'a> {
        let mut object = object;
        let labels = entries(object.lookup(&["spec", "template", "metadata", "labels"]));
        if !labels.is_empty() && entries(object.lookup(&["metadata", "labels"])).is_empty() {
            object.set(arena, &["metadata", "labels"], Value::Object(labels));
        }
        object
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, draft: &mut DecodedObject<'a>) {
        // Workload-aware scheduling is dropped, since its feature gate is off.
        draft.unset(preparation.arena, &["spec", "scheduling"]);
        // Labels that are generated for pods are also those of a job that shares them.
        let labels = draft.meta.labels;
        let shares_labels = !labels.is_empty() && std::ptr::eq(labels.entries(), pod_labels(draft).entries());
        Described::STATUS.prepare(preparation, draft);
        if preparation.old.is_none() {
            generate_selector(preparation, draft);
            if shares_labels {
                draft.meta.labels = pod_labels(draft);
            }
        }
    }

    /// Defaults are set again when an object is read: by then, pods have labels in any case.
    fn canonicalize<'a>(&self, _: &'a Arena, draft: &mut DecodedObject<'a>) {
        if draft.meta.labels.is_empty() {
            draft.meta.labels = pod_labels(draft);
        }
    }

    fn gates(&self) -> &'static [Gate] {
        GATES
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Errors) {
        change.validate_metadata(errors);
        if change.subresource == "status" {
            return status::validate_status(change, errors);
        }
        spec::validate_job(change, errors);
    }

    fn warnings(&self, change: &Change<'_>) -> Vec<String> {
        let mut warnings = Vec::new();
        let is_same = |old: &DecodedObject<'_>| old.meta.generation == change.new.meta.generation;
        if !change.subresource.is_empty() {
            return warnings;
        }
        let name = change.new.meta.name;
        if change.old.is_none() {
            let problems = crate::field_check::name_problems(NameRule::Label, name);
            warnings.extend(name_warning(&problems));
        }
        let spec = Field::root(change, "spec");
        let template = spec.child("template");
        if let Some(value) = template.value.filter(|_| !change.old.is_some_and(is_same)) {
            warnings.extend(pod::template_warnings(value, &template.path, change.release));
        }
        warnings
    }
}

fn pod_labels<'a>(job: &DecodedObject<'a>) -> Object<'a> {
    entries(job.get(&["spec", "template", "metadata", "labels"]))
}

/// Warns of a name that is not a DNS label: hostnames of its pods derive from it.
pub(super) fn name_warning(problems: &[String]) -> Option<String> {
    (!problems.is_empty()).then(|| {
        format!(
            "metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label \
             is recommended: [{}]",
            problems.join(" ")
        )
    })
}

/// Sets defaults that depend on other fields.
fn default_spec<'a>(arena: &'a Arena, spec: Value<'a>) -> Value<'a> {
    let mut spec = spec;
    default_conditions(arena, &mut spec);
    let is_set = |spec: &Value<'a>, key: &str| spec.get(key).is_some_and(|value| !value.is_null());
    if !is_set(&spec, "completions") && !is_set(&spec, "parallelism") {
        spec.set(arena, &["completions"], Value::from(1));
    }
    let limit = if is_set(&spec, "backoffLimitPerIndex") {
        i32::MAX
    } else {
        6
    };
    let replacement = if is_set(&spec, "podFailurePolicy") {
        "Failed"
    } else {
        "TerminatingOrFailed"
    };
    for (key, value) in [
        ("parallelism", Value::from(1)),
        ("backoffLimit", Value::from(limit)),
        ("completionMode", Value::Str("NonIndexed")),
        ("suspend", Value::Bool(false)),
        ("podReplacementPolicy", Value::Str(replacement)),
        ("manualSelector", Value::Bool(false)),
    ] {
        if !is_set(&spec, key) {
            spec.set(arena, &[key], value);
        }
    }
    spec
}

/// The status of a failure policy's condition defaults to `True`.
pub(super) fn default_conditions<'a>(arena: &'a Arena, spec: &mut Value<'a>) {
    member(arena, spec, &["podFailurePolicy"], |policy| {
        let mut policy = policy;
        each(arena, &mut policy, "rules", |rule| {
            let mut rule = rule;
            each(arena, &mut rule, "onPodConditions", |condition| {
                let is_said = !text(condition.get("status")).is_empty();
                let mut condition = condition;
                condition.set(arena, &["status"], Value::Str("True"));
                (!is_said).then_some(condition)
            });
            Some(rule)
        });
        policy
    });
}

/// Labels the job's pods with its name and UID and selects them by UID, unless the user sets a selector.
fn generate_selector<'a>(preparation: &Preparation<'_, 'a>, draft: &mut DecodedObject<'a>) {
    if truth(draft.get(&["spec", "manualSelector"])) {
        return;
    }
    let arena = preparation.arena;
    let (name, uid) = (arena.alloc_str(draft.meta.name), arena.alloc_str(draft.meta.uid));
    let mut object = draft.value();
    let mut labels = entries(object.lookup(&["spec", "template", "metadata", "labels"]));
    let wanted = NAME_LABELS.map(|label| (label, &*name));
    for (label, value) in wanted.into_iter().chain(UID_LABELS.map(|label| (label, &*uid))) {
        if labels.get(label).is_none() {
            labels.insert(arena, label, Value::Str(value));
        }
    }
    let path = ["spec", "template", "metadata", "labels"];
    object.set(arena, &path, Value::Object(sorted(arena, labels)));
    let path = ["spec", "selector", "matchLabels"];
    let mut selected = entries(object.lookup(&path));
    if selected.get(UID_LABELS[1]).is_none() {
        selected.insert(arena, UID_LABELS[1], Value::Str(uid));
    }
    object.set(arena, &path, Value::Object(sorted(arena, selected)));
    draft.object = object.as_object().unwrap_or(draft.object);
}

/// Maps have their keys in order.
fn sorted<'a>(arena: &'a Arena, map: Object<'a>) -> Object<'a> {
    Object::from_entries(arena, arena.alloc_slice_copy(&map.sorted()))
}

const HEADINGS: &[Heading] = &[
    column::NAME,
    column::text("Status", "batch/v1.JobStatus.conditions"),
    column::in_words("Completions", "Pods that are done, of those that are wanted."),
    column::in_words("Duration", "How long the job has run."),
    column::AGE,
    column::CONTAINERS,
    column::IMAGES,
    column::wide("Selector", "batch/v1.JobSpec.selector"),
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let [names, images] = row.containers("spec.template.spec.containers");
    let done = row.at("status.succeeded").as_i64().unwrap_or_default();
    let number = |path: &str| row.at(path).as_i64();
    let completions = match (number("spec.completions"), number("spec.parallelism")) {
        (Some(wanted), _) => format!("{done}/{wanted}"),
        (None, Some(pods)) if pods > 1 => format!("{done}/1 of {pods}"),
        _ => format!("{done}/1"),
    };
    vec![
        row.name(),
        Value::Str(state(row)),
        row.cell(&completions),
        row.cell(&row.span("status.startTime", "status.completionTime")),
        row.age(),
        names,
        images,
        row.selector("spec.selector"),
    ]
}

/// Conditions that a table shows, the first that is true.
const STATES: [&str; 5] = [
    "Complete",
    "Failed",
    "Suspended",
    "FailureTarget",
    "SuccessCriteriaMet",
];

fn state(row: &Row<'_>) -> &'static str {
    let has = |kind: &str| {
        row.items("status.conditions")
            .iter()
            .any(|condition| text(condition.get("type")) == kind && text(condition.get("status")) == "True")
    };
    let is_going = !row.text("metadata.deletionTimestamp").is_empty();
    let found = STATES.iter().position(|kind| has(kind));
    match found {
        Some(index) if index < 2 || !is_going => STATES[index],
        _ if is_going => "Terminating",
        _ => "Running",
    }
}
