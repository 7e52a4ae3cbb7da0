//! CronJobs (pkg/registry/batch/cronjob/strategy.go, `validateCronJobSpec` in pkg/apis/batch/validation/validation.go).

mod schedule;

use kindsmith_json::{Arena, Value};
use kindsmith_object::meta::NameRule;
use kindsmith_object::{Detail, ErrorKind, FieldError, Gate};

use super::described::Described;
use super::job::{GATES, default_conditions, name_warning, validate_job_spec};
use super::workload::default_template;
use crate::edit::member;
use crate::field::{Errors, Field};
use crate::field_check::{invalid_text, name_problems};
use crate::table::{Heading, Row, Table, column};
use crate::types::words;
use crate::{Change, DecodedObject, GarbageCollection, Names, Preparation, Strategy, Subresource, pod};

#[derive(Debug)]
pub(crate) struct CronJob;

/// The names of jobs consist of this name and eleven characters for the time.
const NAME_LIMIT: usize = 52;

impl Strategy for CronJob {
    fn table(&self, _: &Names) -> Table {
        Table {
            headings: HEADINGS,
            cells,
        }
    }

    fn short_names(&self) -> &'static [&'static str] {
        &["cj"]
    }

    fn categories(&self) -> &'static [&'static str] {
        &["all"]
    }

    fn subresources(&self) -> &'static [Subresource] {
        &[Subresource::STATUS]
    }

    fn garbage_collection(&self) -> GarbageCollection {
        GarbageCollection::Background
    }

    fn reset_fields(&self, part: &str) -> &'static [&'static [&'static str]] {
        Described::STATUS.reset_fields(part)
    }

    fn pod_spec(&self) -> Option<&'static [&'static str]> {
        Some(&["spec", "jobTemplate", "spec", "template", "spec"])
    }

    fn default<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let mut object = object;
        default_template(arena, &mut object, &["spec", "jobTemplate", "spec", "template"]);
        member(arena, &mut object, &["spec", "jobTemplate", "spec"], |spec| {
            let mut spec = spec;
            default_conditions(arena, &mut spec);
            spec
        });
        object
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, draft: &mut DecodedObject<'a>) {
        draft.unset(preparation.arena, &["spec", "jobTemplate", "spec", "scheduling"]);
        Described::STATUS.prepare(preparation, draft);
    }

    fn gates(&self) -> &'static [Gate] {
        GATES
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Errors) {
        // The status is not checked at all, nor the metadata sent with it.
        if change.subresource == "status" {
            return;
        }
        change.validate_metadata(errors);
        let (spec, old) = (Field::root(change, "spec"), Field::old_root(change, "spec"));
        validate_schedule(&spec, &old, errors);
        let policy = spec.child("concurrencyPolicy");
        match policy.text() {
            "" => policy.required("", errors),
            _ => policy.one_of(words("batch/v1.ConcurrencyPolicy"), errors),
        }
        validate_template(&spec.child("jobTemplate"), errors);
        for key in ["successfulJobsHistoryLimit", "failedJobsHistoryLimit"] {
            spec.child(key).not_negative(errors);
        }
        let name = change.new.meta.name;
        if change.old.is_none() && name.len() > NAME_LIMIT {
            let metadata = Field::root(change, "metadata");
            let detail = format!("must be no more than {NAME_LIMIT} characters");
            errors.push(invalid_text(&metadata.path.child("name"), name, detail));
        }
    }

    fn warnings(&self, change: &Change<'_>) -> Vec<String> {
        let mut warnings = Vec::new();
        if !change.subresource.is_empty() {
            return warnings;
        }
        if change.old.is_none() {
            let problems = name_problems(NameRule::Label, change.new.meta.name);
            warnings.extend(name_warning(&problems));
        }
        let is_same = |old: &DecodedObject<'_>| old.meta.generation == change.new.meta.generation;
        let spec = Field::root(change, "spec");
        let job = spec.child("jobTemplate");
        let job = job.child("spec");
        let template = job.child("template");
        if let Some(value) = template.value.filter(|_| !change.old.is_some_and(is_same)) {
            warnings.extend(pod::template_warnings(value, &template.path, change.release));
        }
        warnings
    }
}

fn validate_schedule(spec: &Field<'_, '_>, old: &Field<'_, '_>, errors: &mut Errors) {
    let (schedule, zone) = (spec.child("schedule"), spec.child("timeZone"));
    if schedule.text().is_empty() {
        schedule.required("", errors);
    } else {
        if let Err(problem) = schedule::check(schedule.text()) {
            schedule.invalid(problem, errors);
        }
        let (names_zone, named_before) = (
            schedule.text().contains("TZ"),
            old.child("schedule").text().contains("TZ"),
        );
        if names_zone && !named_before {
            let detail = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
            schedule.invalid(detail, errors);
        } else if names_zone && zone.is_set() {
            let detail = "cannot use both timeZone field and TZ or CRON_TZ in schedule";
            schedule.invalid(detail, errors);
        }
    }
    spec.child("startingDeadlineSeconds").not_negative(errors);
    if zone.is_set() && zone.value != old.child("timeZone").value {
        validate_zone(&zone, errors);
    }
}

fn validate_zone(zone: &Field<'_, '_>, errors: &mut Errors) {
    const PART: usize = 14;
    let text = zone.text();
    if text.is_empty() {
        return zone.invalid("timeZone must be nil or non-empty string", errors);
    }
    let unknown = format!("unknown time zone {text}");
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b".-_+".contains(&byte);
    let is_right = |part: &str| {
        !matches!(part, "." | "..")
            && !part.starts_with('-')
            && (1..=PART).contains(&part.len())
            && part.bytes().all(is_part)
    };
    if !text.split('/').all(is_right) {
        return zone.invalid(unknown, errors);
    }
    if text.eq_ignore_ascii_case("Local") {
        let detail = "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
        zone.invalid(detail, errors);
    }
    if text != "Local" && !schedule::is_zone(text) {
        zone.invalid(unknown, errors);
    }
}

fn validate_template(template: &Field<'_, '_>, errors: &mut Errors) {
    let spec = template.child("spec");
    validate_job_spec(&spec, errors);
    let (selector, manual) = (spec.child("selector"), spec.child("manualSelector"));
    if selector.is_set() {
        selector.invalid("`selector` will be auto-generated", errors);
    }
    if manual.truth() {
        let known = Detail::Supported(vec!["nil".into(), "false".into()]);
        errors.push(FieldError::new(
            ErrorKind::NotSupported,
            manual.path.to_owned(),
            manual.shown(),
            known,
        ));
    }
}

const HEADINGS: &[Heading] = &[
    column::NAME,
    column::text("Schedule", "batch/v1.CronJobSpec.schedule"),
    column::text("Timezone", "batch/v1.CronJobSpec.timeZone"),
    column::truth("Suspend", "batch/v1.CronJobSpec.suspend"),
    column::count("Active", "batch/v1.CronJobStatus.active"),
    column::text("Last Schedule", "batch/v1.CronJobStatus.lastScheduleTime"),
    column::AGE,
    column::CONTAINERS,
    column::IMAGES,
    column::wide("Selector", "batch/v1.JobSpec.selector"),
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let [names, images] = row.containers("spec.jobTemplate.spec.template.spec.containers");
    let last = match row.text("status.lastScheduleTime") {
        "" => Value::Str("<none>"),
        _ => row.cell(&row.since("status.lastScheduleTime")),
    };
    let suspend = match row.at("spec.suspend") {
        Value::Bool(true) => "True",
        Value::Bool(false) => "False",
        _ => "<unset>",
    };
    vec![
        row.name(),
        Value::Str(row.text("spec.schedule")),
        Value::Str(row.at("spec.timeZone").as_str().unwrap_or("<none>")),
        Value::Str(suspend),
        Value::Int(row.count("status.active")),
        last,
        row.age(),
        names,
        images,
        row.selector("spec.jobTemplate.spec.selector"),
    ]
}
