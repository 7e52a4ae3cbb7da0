//! Daemon sets (pkg/registry/apps/daemonset/strategy.go and pkg/apis/apps/validation/validation.go).

use kindsmith_gostd::strconv;
use kindsmith_json::{Arena, Object, Path, Value};
use kindsmith_object::FieldError;

use super::workload::{
    SPEC, Workload, amount, is_empty, strategy_value, validate_amount, validate_collisions, validate_counts,
    validate_same_selector, validate_share,
};
use crate::field_check::{invalid, not_negative, not_supported, required, text};
use crate::go_value::json::{as_go, as_json};
use crate::part::selector::{matches, validate_selector};
use crate::table::{Heading, Row, Table, column};
use crate::types::declared;
use crate::{Change, DecodedObject, Preparation, pod};

/// The generation of the template, which used to be a field.
const TEMPLATE_GENERATION: &str = "deprecated.daemonset.template.generation";

pub(crate) const DAEMON_SET: Workload = Workload {
    short_names: &["ds"],
    scaling: None,
    table: Table {
        headings: HEADINGS,
        cells,
    },
    default: default_rolling,
    conversion_error,
    tracked,
    prepare,
    spec: validate_spec,
    status: validate_status,
    warns: warnings,
    ..Workload::PLAIN
};

/// The annotation is a number in Go's internal type (`Convert_v1_DaemonSet_To_apps_DaemonSet` in pkg/apis/apps/v1).
fn conversion_error(object: Value<'_>) -> Option<String> {
    let generation = object.lookup(&["metadata", "annotations", TEMPLATE_GENERATION])?;
    let parsed = strconv::parse_int(generation.as_str()?, 10, 64);
    parsed.err().map(|error| error.to_string())
}

/// The annotation of an object that is a field in Go's internal type: metadata alone is made of that, and does not have it.
#[must_use]
pub fn converted_annotation(object: Value<'_>) -> Option<&'static str> {
    let is = |key: &str, word: &str| object.get(key).and_then(Value::as_str) == Some(word);
    (is("kind", "DaemonSet") && is("apiVersion", "apps/v1")).then_some(TEMPLATE_GENERATION)
}

/// Conversion writes the generation, which is zero until the object is prepared.
fn tracked<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    let mut object = object;
    let path = ["metadata", "annotations", TEMPLATE_GENERATION];
    if object.lookup(&path).is_none() {
        object.set(arena, &path, Value::Str("0"));
    }
    object
}

fn prepare<'a>(preparation: &Preparation<'_, 'a>, draft: &mut DecodedObject<'a>) {
    let generation = match preparation.old {
        // It is part of the spec in Go, so a write of the status keeps it.
        Some(old) if preparation.subresource == "status" => template_generation(old),
        None => template_generation(draft).max(1),
        Some(old) => {
            let is_same = preparation.is_same_at(draft, old, &["spec", "template"]);
            template_generation(old).saturating_add(i64::from(!is_same))
        }
    };
    let text = preparation.arena.alloc_str(&generation.to_string());
    let mut annotations = draft.meta.annotations;
    annotations.insert(preparation.arena, TEMPLATE_GENERATION, Value::Str(text));
    draft.meta.annotations = annotations;
}

fn warnings(change: &Change<'_>) -> Vec<String> {
    let is_same = |old: &DecodedObject<'_>| template_generation(old) == template_generation(change.new);
    match change.get(&["spec", "template"]) {
        Some(template) if change.subresource.is_empty() && !change.old.is_some_and(is_same) => {
            pod::template_warnings(template, &SPEC.child("template"), change.release)
        }
        _ => Vec::new(),
    }
}

fn template_generation(draft: &DecodedObject<'_>) -> i64 {
    let text = text(draft.meta.annotations.get(TEMPLATE_GENERATION));
    text.parse().unwrap_or_default()
}

/// By default one pod is replaced at a time. Numbers of an unused rolling update are zero, since Go's internal type has no pointers
/// (`Convert_v1_RollingUpdateDaemonSet_To_apps_RollingUpdateDaemonSet` in pkg/apis/apps/v1).
fn default_rolling<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    let mut object = object;
    let path = ["spec", "updateStrategy", "rollingUpdate"];
    let kind = text(
        object
            .lookup(&path[..2])
            .and_then(|strategy| strategy.get("type")),
    );
    let is_rolling = matches!(kind, "" | "RollingUpdate");
    let is_absent = |object: Value<'a>, path: &[&str]| object.lookup(path).is_none_or(Value::is_null);
    if !is_rolling && is_absent(object, &path) {
        return object;
    }
    for path in [&path[..1], &path[..2], &path] {
        if is_absent(object, path) {
            object.set(arena, path, Value::Object(Object::EMPTY));
        }
    }
    for (key, pods) in [("maxUnavailable", i64::from(is_rolling)), ("maxSurge", 0)] {
        let path = ["spec", "updateStrategy", "rollingUpdate", key];
        if is_absent(object, &path) {
            object.set(arena, &path, Value::Int(pods));
        }
    }
    object
}

fn validate_spec(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let get = |key| change.get(&["spec", key]);
    let selector = get("selector");
    let path = SPEC.child("selector");
    validate_same_selector(change, errors);
    let before = errors.len();
    if let Some(selector) = selector {
        validate_selector(selector, &path, errors);
    }
    let is_right = errors.len() == before;
    if selector.is_some_and(is_empty) {
        let detail = "empty selector is invalid for daemonset";
        errors.push(invalid(&path, as_go(selector), detail));
    }
    pod::validate_controlled(
        get("template").unwrap_or_default(),
        |labels| !is_right || selector.is_some_and(|selector| matches(selector, labels)),
        "DaemonSet",
        &SPEC.child("template"),
        change.release,
        errors,
    );
    not_negative(&SPEC.child("minReadySeconds"), get("minReadySeconds"), errors);
    validate_strategy(
        get("updateStrategy").unwrap_or_default(),
        &SPEC.child("updateStrategy"),
        errors,
    );
    not_negative(
        &SPEC.child("revisionHistoryLimit"),
        get("revisionHistoryLimit"),
        errors,
    );
}

fn validate_strategy(strategy: Value<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    match text(strategy.get("type")) {
        "OnDelete" => {}
        "RollingUpdate" => validate_rolling(
            strategy.get("rollingUpdate").unwrap_or_default(),
            &path.child("rollingUpdate"),
            errors,
        ),
        _ => {
            let mut error = not_supported(path, "", declared("apps/v1.DaemonSetUpdateStrategyType"));
            error.bad = strategy_value(
                strategy,
                &[
                    ("MaxUnavailable", "maxUnavailable", Value::Int(0)),
                    ("MaxSurge", "maxSurge", Value::Int(0)),
                ],
            );
            errors.push(error);
        }
    }
}

fn validate_rolling(rolling: Value<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let (unavailable, surge) = (rolling.get("maxUnavailable"), rolling.get("maxSurge"));
    let (unavailable_path, surge_path) = (path.child("maxUnavailable"), path.child("maxSurge"));
    validate_amount(unavailable, &unavailable_path, errors);
    validate_amount(surge, &surge_path, errors);
    validate_share(unavailable, &unavailable_path, errors);
    validate_share(surge, &surge_path, errors);
    match (amount(unavailable) != 0, amount(surge) != 0) {
        (true, true) => {
            let detail = "may not be set when maxUnavailable is non-zero";
            errors.push(invalid(&surge_path, as_json(surge), detail));
        }
        (false, false) => errors.push(required(&unavailable_path, "cannot be 0 when maxSurge is 0")),
        _ => {}
    }
}

fn validate_status(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let counts = [
        "currentNumberScheduled",
        "numberMisscheduled",
        "desiredNumberScheduled",
        "numberReady",
        "observedGeneration",
        "updatedNumberScheduled",
        "numberAvailable",
        "numberUnavailable",
        "collisionCount",
    ];
    validate_counts(change, &counts, errors);
    validate_collisions(change, errors);
}

const HEADINGS: &[Heading] = &[
    column::NAME,
    column::count("Desired", "apps/v1.DaemonSetStatus.desiredNumberScheduled"),
    column::count("Current", "apps/v1.DaemonSetStatus.currentNumberScheduled"),
    column::count("Ready", "apps/v1.DaemonSetStatus.numberReady"),
    column::count("Up-to-date", "apps/v1.DaemonSetStatus.updatedNumberScheduled"),
    column::count("Available", "apps/v1.DaemonSetStatus.numberAvailable"),
    column::text("Node Selector", "core/v1.PodSpec.nodeSelector"),
    column::AGE,
    column::CONTAINERS,
    column::IMAGES,
    column::wide("Selector", "apps/v1.DaemonSetSpec.selector"),
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let [names, images] = row.containers("spec.template.spec.containers");
    let number = |key: &str| row.number(&format!("status.{key}"));
    vec![
        row.name(),
        number("desiredNumberScheduled"),
        number("currentNumberScheduled"),
        number("numberReady"),
        number("updatedNumberScheduled"),
        number("numberAvailable"),
        row.labels("spec.template.spec.nodeSelector"),
        row.age(),
        names,
        images,
        row.selector("spec.selector"),
    ]
}
