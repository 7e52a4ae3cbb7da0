//! Horizontal pod autoscalers (pkg/apis/autoscaling/v2/defaults.go).

pub(crate) mod v1;

use kindsmith_json::{Arena, Object, Value, parse_str};
use kindsmith_object::Gate;

use super::autoscaler_rules::validate_autoscaler;
use super::described::Described;
use crate::edit::member;
use crate::field_check::{entries, items};
use crate::table::{Heading, Row, Table, column, text_of};

pub(crate) const AUTOSCALER: Described = Described {
    short_names: &["hpa"],
    categories: &["all"],
    gates: &[Gate::HPAScaleToZero],
    counts_with: Some(Gate::HPAGeneration),
    default: default_autoscaler,
    rules: validate_autoscaler,
    table: Table {
        headings: HEADINGS,
        cells,
    },
    ..Described::STATUS
};

/// Checked and stored as `v2`.
pub(crate) const AUTOSCALER_V1: Described = Described {
    conversion: Some(&v1::CONVERSION),
    gates: &[],
    default: |_, object| object,
    rules: |_, _| {},
    table: Table {
        headings: HEADINGS,
        cells: |row| {
            let object = (v1::CONVERSION.to_storage)(row.arena, row.object);
            cells(&Row { object, ..*row })
        },
    },
    ..AUTOSCALER
};

const HEADINGS: &[Heading] = &[
    column::NAME,
    column::text(
        "Reference",
        "autoscaling/v2.HorizontalPodAutoscalerSpec.scaleTargetRef",
    ),
    column::text("Targets", "autoscaling/v2.HorizontalPodAutoscalerSpec.metrics"),
    column::text(
        "MinPods",
        "autoscaling/v2.HorizontalPodAutoscalerSpec.minReplicas",
    ),
    column::text(
        "MaxPods",
        "autoscaling/v2.HorizontalPodAutoscalerSpec.maxReplicas",
    ),
    column::text(
        "Replicas",
        "autoscaling/v2.HorizontalPodAutoscalerStatus.currentReplicas",
    ),
    column::AGE,
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let target = row.at("spec.scaleTargetRef");
    let least = match row.at("spec.minReplicas").as_i64() {
        Some(number) => number.to_string(),
        None => "<unset>".to_owned(),
    };
    let states = row.items("status.currentMetrics");
    let metrics: Vec<String> = row
        .items("spec.metrics")
        .iter()
        .enumerate()
        .map(|(index, metric)| shown(*metric, states.get(index).copied()))
        .collect();
    let metrics = match metrics.len() {
        0 => "<none>".to_owned(),
        1 | 2 => metrics.join(", "),
        all => format!("{} + {} more...", metrics[..2].join(", "), all - 2),
    };
    vec![
        row.name(),
        row.cell(&format!(
            "{}/{}",
            text_of(target, "kind"),
            text_of(target, "name")
        )),
        row.cell(&metrics),
        row.cell(&least),
        row.number("spec.maxReplicas"),
        row.number("status.currentReplicas"),
        row.age(),
    ]
}

/// One metric: how much of it there is, and how much is wanted.
fn shown(metric: Value<'_>, state: Option<Value<'_>>) -> String {
    let kind = text_of(metric, "type");
    let key = match kind {
        "External" => "external",
        "Pods" => "pods",
        "Object" => "object",
        "Resource" => "resource",
        "ContainerResource" => "containerResource",
        _ => return "<unknown type>".to_owned(),
    };
    let source = metric.get(key).unwrap_or_default();
    let state = state.and_then(|state| state.get(key));
    let wanted = |part: &str| source.lookup(&["target", part]).map(quantity);
    let found = |part: &str| {
        let value = state.and_then(|state| state.lookup(&["current", part]));
        value.map_or_else(|| "<unknown>".to_owned(), quantity)
    };
    let is_resource = key.ends_with("esource");
    match (wanted("averageValue"), is_resource) {
        (Some(wanted), true) => {
            format!("{}: {}/{wanted}", text_of(source, "name"), found("averageValue"))
        }
        (None, true) => format!(
            "{}: {}/{}",
            text_of(source, "name"),
            percent(&found("averageUtilization")),
            percent(&wanted("averageUtilization").unwrap_or_else(|| "<auto>".to_owned()))
        ),
        (Some(wanted), false) if key == "pods" => format!("{}/{wanted}", found("averageValue")),
        (Some(wanted), false) => format!("{}/{wanted} (avg)", found("averageValue")),
        (None, false) => format!("{}/{}", found("value"), wanted("value").unwrap_or_default()),
    }
}

fn quantity(value: Value<'_>) -> String {
    match value {
        Value::Str(text) => text.to_owned(),
        number => kindsmith_json::to_string(number),
    }
}

fn percent(number: &str) -> String {
    if number.starts_with('<') {
        number.to_owned()
    } else {
        format!("{number}%")
    }
}

/// The default metric: 80 percent CPU.
const METRICS: &str = r#"[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":80}}}]"#;

/// The default for scaling up: per 15 seconds four pods or 100 percent, whichever is more.
const SCALE_UP: &str = r#"{"stabilizationWindowSeconds":0,"selectPolicy":"Max","policies":[
    {"type":"Pods","value":4,"periodSeconds":15},{"type":"Percent","value":100,"periodSeconds":15}]}"#;

/// The default for scaling down: all pods at once.
const SCALE_DOWN: &str =
    r#"{"selectPolicy":"Max","policies":[{"type":"Percent","value":100,"periodSeconds":15}]}"#;

/// Metrics that are missing, and rules of a behavior that is there.
fn default_autoscaler<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    let mut object = object;
    if object.get("spec").is_none_or(Value::is_null) {
        object.set(arena, &["spec"], Value::Object(Object::EMPTY));
    }
    let metrics = ["spec", "metrics"];
    if items(object.lookup(&metrics)).is_empty() {
        object.set(arena, &metrics, constant(arena, METRICS));
    }
    member(arena, &mut object, &["spec", "behavior"], |behavior| {
        let mut behavior = behavior;
        for (key, rules) in [("scaleUp", SCALE_UP), ("scaleDown", SCALE_DOWN)] {
            let mut filled = entries(Some(constant(arena, rules)));
            for (name, value) in entries(behavior.get(key)) {
                if !value.is_null() {
                    filled.insert(arena, name, value);
                }
            }
            behavior.set(arena, &[key], Value::Object(filled));
        }
        behavior
    });
    object
}

fn constant<'a>(arena: &'a Arena, text: &'static str) -> Value<'a> {
    parse_str(arena, text).expect("the constants above are JSON")
}
