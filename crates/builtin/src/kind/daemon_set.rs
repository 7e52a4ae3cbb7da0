//! Daemon sets (pkg/registry/apps/daemonset/strategy.go and pkg/apis/apps/validation/validation.go).

use kindsmith_json::{Arena, Object, Path, Value};
use kindsmith_object::FieldError;

use super::replication_controller::prepare_generation;
use super::workload::{
    SPEC, amount, default_template, is_empty, strategy_value, validate_amount, validate_collisions,
    validate_counts, validate_share,
};
use crate::go_value::json::as_json;
use crate::go_value::json::is_same;
use crate::part::selector::{matches, validate_selector};
use crate::rule::{immutable, invalid, not_negative, not_supported, required, text};
use crate::table::{Heading, Row, Table, column};
use crate::types::declared;
use crate::{Change, DecodedObject, Names, Preparation, Strategy, Subresource, pod};

/// The generation of the template, which used to be a field.
const TEMPLATE_GENERATION: &str = "deprecated.daemonset.template.generation";

#[derive(Debug)]
pub(crate) struct DaemonSet;

impl Strategy for DaemonSet {
    fn table(&self, _: &Names) -> Table {
        Table {
            headings: HEADINGS,
            cells,
        }
    }

    fn short_names(&self) -> &'static [&'static str] {
        &["ds"]
    }

    fn categories(&self) -> &'static [&'static str] {
        &["all"]
    }

    fn subresources(&self) -> &'static [Subresource] {
        &[Subresource::STATUS]
    }

    fn reset_fields(&self, part: &str) -> &'static [&'static [&'static str]] {
        match part {
            "status" => &[&["spec"]],
            _ => &[&["status"]],
        }
    }

    fn pod_spec(&self) -> Option<&'static [&'static str]> {
        Some(&["spec", "template", "spec"])
    }

    fn default<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let mut object = object;
        default_template(arena, &mut object, &["spec", "template"]);
        let kind = text(object.lookup(&["spec", "updateStrategy", "type"]));
        if matches!(kind, "" | "RollingUpdate") {
            default_rolling(arena, &mut object);
        }
        object
    }

    /// Conversion writes the generation, which is zero until the object is prepared.
    fn tracked<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let mut object = object;
        let path = ["metadata", "annotations", TEMPLATE_GENERATION];
        if object.lookup(&path).is_none() {
            object.set(arena, &path, Value::Str("0"));
        }
        object
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, draft: &mut DecodedObject<'a>) {
        prepare_generation(preparation, draft, &["spec"]);
        let generation = match preparation.old {
            // It is part of the spec in Go, so a write of the status keeps it.
            Some(old) if preparation.subresource == "status" => template_generation(old),
            None => template_generation(draft).max(1),
            Some(old) => {
                let is_same = is_same(draft.get(&["spec", "template"]), old.get(&["spec", "template"]));
                template_generation(old).saturating_add(i64::from(!is_same))
            }
        };
        let text = preparation.arena.alloc_str(&generation.to_string());
        let mut annotations = draft.meta.annotations;
        annotations.insert(preparation.arena, TEMPLATE_GENERATION, Value::Str(text));
        draft.meta.annotations = annotations;
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        change.validate_metadata(errors);
        match change.subresource {
            "status" => validate_status(change, errors),
            _ => validate_spec(change, errors),
        }
    }

    fn warnings(&self, change: &Change<'_>) -> Vec<String> {
        let is_same = |old: &DecodedObject<'_>| template_generation(old) == template_generation(change.new);
        match change.get(&["spec", "template"]) {
            Some(template) if change.subresource.is_empty() && !change.old.is_some_and(is_same) => {
                pod::template_warnings(template, &SPEC.child("template"))
            }
            _ => Vec::new(),
        }
    }
}

fn template_generation(draft: &DecodedObject<'_>) -> i64 {
    let text = text(draft.meta.annotations.get(TEMPLATE_GENERATION));
    text.parse().unwrap_or_default()
}

/// By default one pod is replaced at a time.
fn default_rolling<'a>(arena: &'a Arena, object: &mut Value<'a>) {
    for path in [
        &["spec"][..],
        &["spec", "updateStrategy"],
        &["spec", "updateStrategy", "rollingUpdate"],
    ] {
        if object.lookup(path).is_none_or(Value::is_null) {
            object.set(arena, path, Value::Object(Object::EMPTY));
        }
    }
    for (key, pods) in [("maxUnavailable", 1), ("maxSurge", 0)] {
        let path = ["spec", "updateStrategy", "rollingUpdate", key];
        if object.lookup(&path).is_none_or(Value::is_null) {
            object.set(arena, &path, Value::Int(pods));
        }
    }
}

fn validate_spec(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let get = |key| change.get(&["spec", key]);
    let selector = get("selector");
    let path = SPEC.child("selector");
    if change.old.is_some() && !is_same(selector, change.get_old(&["spec", "selector"])) {
        immutable(&path, as_json(selector), errors);
    }
    let before = errors.len();
    if let Some(selector) = selector {
        validate_selector(selector, &path, errors);
    }
    let is_right = errors.len() == before;
    if selector.is_some_and(is_empty) {
        let detail = "empty selector is invalid for daemonset";
        errors.push(invalid(&path, as_json(selector), detail));
    }
    pod::validate_controlled(
        get("template").unwrap_or_default(),
        |labels| !is_right || selector.is_some_and(|selector| matches(selector, labels)),
        "DaemonSet",
        &SPEC.child("template"),
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
