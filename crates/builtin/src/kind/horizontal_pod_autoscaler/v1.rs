//! Autoscalers of `autoscaling/v1`, which knows one metric: what else `v2` says is in annotations
//! (pkg/apis/autoscaling/v1/conversion.go).

use std::sync::OnceLock;

use kindsmith_engine::{CompileOptions, Plan};
use kindsmith_json::{Arena, Object, Value, parse_str, to_string};
use kindsmith_schema::TypeName;

use crate::Conversion;
use crate::field_check::{entries, items, text};
use crate::go_value::internal;
use crate::types::own_schema;

pub(crate) const CONVERSION: Conversion = Conversion {
    group: "autoscaling",
    version: "v2",
    to_storage: to_v2,
    from_storage: to_v1,
};

const METRICS: &str = "autoscaling.alpha.kubernetes.io/metrics";
const STATUSES: &str = "autoscaling.alpha.kubernetes.io/current-metrics";
const CONDITIONS: &str = "autoscaling.alpha.kubernetes.io/conditions";
const BEHAVIOR: &str = "autoscaling.alpha.kubernetes.io/behavior";

/// Annotations that only carry fields.
const CARRIERS: [&str; 6] = [
    METRICS,
    STATUSES,
    CONDITIONS,
    BEHAVIOR,
    "autoscaling.alpha.kubernetes.io/scale-down-tolerance",
    "autoscaling.alpha.kubernetes.io/scale-up-tolerance",
];

/// A member of a metric: its key in the annotation, its path in `v2`, and whether the annotation always has it.
type Member = (&'static str, &'static [&'static str], bool);

const NAME: Member = ("metricName", &["metric", "name"], false);
const SELECTOR: Member = ("selector", &["metric", "selector"], false);
const ABOUT: Member = ("target", &["describedObject"], false);

/// The metrics of a spec by their kind.
const SPECS: [(&str, &[Member]); 5] = [
    (
        "object",
        &[
            ABOUT,
            NAME,
            ("targetValue", &["target", "value"], true),
            SELECTOR,
            ("averageValue", &["target", "averageValue"], false),
        ],
    ),
    (
        "pods",
        &[
            NAME,
            ("targetAverageValue", &["target", "averageValue"], true),
            SELECTOR,
        ],
    ),
    ("resource", &RESOURCE_SPEC),
    ("containerResource", &CONTAINER_SPEC),
    (
        "external",
        &[
            NAME,
            ("metricSelector", &["metric", "selector"], false),
            ("targetValue", &["target", "value"], false),
            ("targetAverageValue", &["target", "averageValue"], false),
        ],
    ),
];

const RESOURCE_SPEC: [Member; 3] = [
    ("name", &["name"], false),
    (
        "targetAverageUtilization",
        &["target", "averageUtilization"],
        false,
    ),
    ("targetAverageValue", &["target", "averageValue"], false),
];

const CONTAINER_SPEC: [Member; 4] = [
    RESOURCE_SPEC[0],
    RESOURCE_SPEC[1],
    RESOURCE_SPEC[2],
    ("container", &["container"], false),
];

/// The metrics of a status by their kind.
const STATES: [(&str, &[Member]); 5] = [
    (
        "object",
        &[
            ABOUT,
            NAME,
            ("currentValue", &["current", "value"], true),
            SELECTOR,
            ("averageValue", &["current", "averageValue"], false),
        ],
    ),
    (
        "pods",
        &[
            NAME,
            ("currentAverageValue", &["current", "averageValue"], true),
            SELECTOR,
        ],
    ),
    ("resource", &RESOURCE_STATE),
    ("containerResource", &CONTAINER_STATE),
    (
        "external",
        &[
            NAME,
            ("metricSelector", &["metric", "selector"], false),
            ("currentValue", &["current", "value"], true),
            ("currentAverageValue", &["current", "averageValue"], false),
        ],
    ),
];

const RESOURCE_STATE: [Member; 3] = [
    ("name", &["name"], false),
    (
        "currentAverageUtilization",
        &["current", "averageUtilization"],
        false,
    ),
    ("currentAverageValue", &["current", "averageValue"], true),
];

const CONTAINER_STATE: [Member; 4] = [
    RESOURCE_STATE[0],
    RESOURCE_STATE[1],
    RESOURCE_STATE[2],
    ("container", &["container"], false),
];

fn is_set(value: &Value<'_>) -> bool {
    !value.is_null()
}

/// The same autoscaler in `v2`.
fn to_v2<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    let mut object = object;
    let notes = entries(object.lookup(&["metadata", "annotations"]));
    let noted = |key: &str| {
        let text = notes.get(key).and_then(Value::as_str)?;
        parse_str(arena, text).ok()
    };
    let list = |value: Option<Value<'a>>| value.and_then(Value::as_array);
    let usage = ["spec", "targetCPUUtilizationPercentage"];
    let mut metrics = Vec::new();
    if let Some(noted) = list(noted(METRICS)) {
        metrics.extend(noted.iter().map(|metric| metric_to_v2(arena, *metric, &SPECS)));
    }
    if let Some(usage) = object.unset(arena, &usage).filter(is_set) {
        metrics.push(cpu(arena, "target", usage));
    }
    if metrics.is_empty() {
        metrics.push(cpu(arena, "target", Value::Int(80)));
    }
    object.set(
        arena,
        &["spec", "metrics"],
        Value::Array(arena.alloc_slice_copy(&metrics)),
    );
    let behavior = noted(BEHAVIOR).map(|behavior| with_json_names(arena, behavior));
    let has_rules = |behavior: &Value<'a>| {
        let mut rules = ["scaleUp", "scaleDown"].into_iter();
        rules.any(|key| behavior.get(key).is_some_and(|rules| is_set(&rules)))
    };
    let is_behavior = |behavior: &Value<'a>| can_be_decoded(*behavior);
    if let Some(behavior) = behavior.filter(has_rules).filter(is_behavior) {
        object.set(arena, &["spec", "behavior"], behavior);
    }
    let usage = object.unset(arena, &["status", "currentCPUUtilizationPercentage"]);
    let states = match list(noted(STATUSES)) {
        Some(states) => states
            .iter()
            .map(|state| metric_to_v2(arena, *state, &STATES))
            .collect(),
        None => usage
            .filter(is_set)
            .map(|usage| vec![cpu(arena, "current", usage)])
            .unwrap_or_default(),
    };
    if !states.is_empty() {
        let states = Value::Array(arena.alloc_slice_copy(&states));
        object.set(arena, &["status", "currentMetrics"], states);
    }
    if let Some(conditions) = list(noted(CONDITIONS)).filter(|list| !list.is_empty()) {
        object.set(arena, &["status", "conditions"], Value::Array(conditions));
    }
    without_carriers(arena, &mut object);
    object
}

/// The same autoscaler in `v1`.
fn to_v1<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    let mut object = object;
    without_carriers(arena, &mut object);
    let mut take = |path: &[&'a str]| object.unset(arena, path).filter(is_set);
    let metrics = items(take(&["spec", "metrics"]));
    let behavior = take(&["spec", "behavior"]);
    let states = items(take(&["status", "currentMetrics"]));
    let conditions = take(&["status", "conditions"]);
    let used = |metric: &Value<'a>, part: &'static str| {
        let is_cpu =
            text(metric.get("type")) == "Resource" && text(metric.lookup(&["resource", "name"])) == "cpu";
        let usage = metric.lookup(&["resource", part, "averageUtilization"]);
        usage.filter(|usage| is_cpu && is_set(usage))
    };
    if let Some(usage) = metrics.iter().find_map(|metric| used(metric, "target")) {
        object.set(arena, &["spec", "targetCPUUtilizationPercentage"], usage);
    }
    if let Some(usage) = states.iter().rev().find_map(|state| used(state, "current")) {
        object.set(arena, &["status", "currentCPUUtilizationPercentage"], usage);
    }
    let mut note = |key: &'static str, text: String| {
        let path = ["metadata", "annotations", key];
        object.set(arena, &path, Value::Str(arena.alloc_str(&text)));
    };
    let others: Vec<Value<'a>> = metrics
        .iter()
        .filter(|metric| used(metric, "target").is_none())
        .map(|metric| metric_to_v1(arena, *metric, &SPECS))
        .collect();
    if !others.is_empty() {
        note(METRICS, to_string(Value::Array(&others)));
    }
    if !states.is_empty() {
        let states: Vec<Value<'a>> = states
            .iter()
            .map(|state| metric_to_v1(arena, *state, &STATES))
            .collect();
        note(STATUSES, to_string(Value::Array(&states)));
    }
    if behavior.is_some() {
        let shown = internal::shown(
            kindsmith_object::Release::NEWEST,
            "autoscaling/v2",
            "HorizontalPodAutoscalerBehavior",
            behavior,
        );
        note(BEHAVIOR, shown.to_json());
    }
    if let Some(conditions) = conditions {
        note(CONDITIONS, to_string(conditions));
    }
    object
}

/// Whether a behavior fits its type; others are ignored.
fn can_be_decoded(behavior: Value<'_>) -> bool {
    static PLAN: OnceLock<Option<Plan>> = OnceLock::new();
    let plan = PLAN.get_or_init(|| {
        let name = TypeName::new("k8s.io/api/autoscaling/v2", "HorizontalPodAutoscalerBehavior");
        let ty = own_schema().find(&name)?;
        Some(Plan::compile_with(own_schema(), ty, &CompileOptions::default()))
    });
    plan.as_ref().is_some_and(|plan| plan.decode(behavior).is_ok())
}

fn without_carriers<'a>(arena: &'a Arena, object: &mut Value<'a>) {
    for key in CARRIERS {
        object.unset(arena, &["metadata", "annotations", key]);
    }
    let path = ["metadata", "annotations"];
    if object
        .lookup(&path)
        .is_some_and(|notes| entries(Some(notes)).is_empty())
    {
        object.unset(arena, &path);
    }
}

/// The use of the CPU, as a target or as it is.
fn cpu<'a>(arena: &'a Arena, part: &'static str, usage: Value<'a>) -> Value<'a> {
    let mut metric = Value::Object(Object::EMPTY);
    metric.set(arena, &["type"], Value::Str("Resource"));
    metric.set(arena, &["resource", "name"], Value::Str("cpu"));
    if part == "target" {
        metric.set(arena, &["resource", part, "type"], Value::Str("Utilization"));
    }
    metric.set(arena, &["resource", part, "averageUtilization"], usage);
    metric
}

type Sources = [(&'static str, &'static [Member])];

fn metric_to_v2<'a>(arena: &'a Arena, metric: Value<'a>, sources: &Sources) -> Value<'a> {
    let mut result = Value::Object(Object::EMPTY);
    result.set(arena, &["type"], Value::Str(text(metric.get("type"))));
    for &(source, members) in sources {
        let Some(old) = metric.get(source).filter(is_set) else {
            continue;
        };
        let mut new = Value::Object(Object::EMPTY);
        for &(key, path, _) in members {
            if let Some(value) = old.get(key).filter(is_set) {
                new.set(arena, path, value);
            }
        }
        if sources[0].1 == SPECS[0].1 {
            settle_target(arena, source, &mut new);
        }
        result.set(arena, &[source], new);
    }
    result
}

/// Says what kind of target a metric has, which the annotation leaves to be found out.
fn settle_target<'a>(arena: &'a Arena, source: &str, metric: &mut Value<'a>) {
    let has = |key: &str| metric.lookup(&["target", key]).is_some();
    let kind = match source {
        "resource" | "containerResource" if has("averageUtilization") => "Utilization",
        "external" if has("value") => "Value",
        "object" if !has("averageValue") => "Value",
        _ => "AverageValue",
    };
    let is_zero = text(metric.lookup(&["target", "value"])) == "0";
    if source == "object" && kind == "AverageValue" && is_zero {
        metric.unset(arena, &["target", "value"]);
    }
    metric.set(arena, &["target", "type"], Value::Str(kind));
}

fn metric_to_v1<'a>(arena: &'a Arena, metric: Value<'a>, sources: &Sources) -> Value<'a> {
    let mut result = Value::Object(Object::EMPTY);
    result.set(arena, &["type"], Value::Str(text(metric.get("type"))));
    for &(source, members) in sources {
        let Some(old) = metric.get(source).filter(is_set) else {
            continue;
        };
        let mut new = Value::Object(Object::EMPTY);
        for &(key, path, is_always_there) in members {
            match old.lookup(path).filter(is_set) {
                Some(value) => new.set(arena, &[key], value),
                None if is_always_there => new.set(arena, &[key], Value::Str("0")),
                None => {}
            }
        }
        result.set(arena, &[source], new);
    }
    result
}

/// A value with the names of JSON instead of Go: the annotation holds an internal struct.
fn with_json_names<'a>(arena: &'a Arena, value: Value<'a>) -> Value<'a> {
    match value {
        Value::Array(list) => {
            let list: Vec<Value<'a>> = list.iter().map(|item| with_json_names(arena, *item)).collect();
            Value::Array(arena.alloc_slice_copy(&list))
        }
        Value::Object(object) => {
            let mut renamed = Object::EMPTY;
            for (key, value) in object {
                let mut letters = key.chars();
                let first = letters.next().map(|letter| letter.to_ascii_lowercase());
                let key: String = first.into_iter().chain(letters).collect();
                renamed.insert(arena, arena.alloc_str(&key), with_json_names(arena, value));
            }
            Value::Object(renamed)
        }
        scalar => scalar,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(v2: &str, v1: &str) {
        let arena = Arena::new();
        let value = parse_str(&arena, v2).expect("it is JSON");
        let converted = to_v1(&arena, value);
        assert_eq!(to_string(converted), v1);
        let back = to_v2(&arena, parse_str(&arena, v1).expect("it is JSON"));
        assert_eq!(
            kindsmith_json::write::Format::default()
                .order(kindsmith_json::write::Order::Sorted)
                .to_string(back),
            kindsmith_json::write::Format::default()
                .order(kindsmith_json::write::Order::Sorted)
                .to_string(value)
        );
    }

    #[test]
    fn the_use_of_the_cpu_is_a_field() {
        check(
            r#"{"spec":{"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":5}}}]}}"#,
            r#"{"spec":{"targetCPUUtilizationPercentage":5}}"#,
        );
    }

    #[test]
    fn other_metrics_are_an_annotation() {
        check(
            r#"{"metadata":{"annotations":{"a":"b"}},"spec":{"metrics":[{"type":"Pods","pods":{"metric":{"name":"m"},"target":{"type":"AverageValue","averageValue":"5"}}}]}}"#,
            r#"{"metadata":{"annotations":{"a":"b","autoscaling.alpha.kubernetes.io/metrics":"[{\"type\":\"Pods\",\"pods\":{\"metricName\":\"m\",\"targetAverageValue\":\"5\"}}]"}},"spec":{}}"#,
        );
    }
}
