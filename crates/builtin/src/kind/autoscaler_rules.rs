//! Validation of horizontal pod autoscalers beyond tags (pkg/apis/autoscaling/validation/validation.go).

use kindsmith_json::Value;
use kindsmith_object::meta::NameRule;

use crate::Change;
use crate::field::{Errors, Field};
use crate::part::resource_name::{check_container_name, check_not_negative};
use crate::types::words;

/// Metric types and the field of each, in validation order.
const SOURCES: [(&str, &str); 5] = [
    ("Object", "object"),
    ("External", "external"),
    ("Pods", "pods"),
    ("Resource", "resource"),
    ("ContainerResource", "containerResource"),
];

/// Validates an autoscaler, or only its status.
pub(crate) fn validate_autoscaler(change: &Change<'_>, errors: &mut Errors) {
    if change.subresource == "status" {
        return validate_status(change, errors);
    }
    let spec = Field::root(change, "spec");
    let (least, most) = (spec.child("minReplicas"), spec.child("maxReplicas"));
    if least.is_set() && most.number() < least.number() {
        let most = Field {
            value: Some(most.value.unwrap_or(Value::from(0))),
            ..most
        };
        most.invalid("must be greater than or equal to `minReplicas`", errors);
    }
    let old = Field::old_root(change, "spec");
    let target = spec.child("scaleTargetRef");
    validate_reference(&target, target_versions(&target, &old), errors);
    let metrics = spec.child("metrics");
    let objects = object_versions(&old);
    for metric in metrics.items() {
        validate_metric(&metric, objects, errors);
    }
    let scales_to_zero = metrics
        .items()
        .any(|metric| matches!(metric.child("type").text(), "Object" | "External"));
    if least.is_set() && least.number() == 0 && !scales_to_zero {
        let detail =
            "must specify at least one Object or External metric to support scaling to zero replicas";
        metrics.forbidden(detail, errors);
    }
    let behavior = spec.child("behavior");
    for key in ["scaleUp", "scaleDown"] {
        let rules = behavior.child(key);
        if rules.is_set() {
            validate_rules(&rules, errors);
        }
    }
}

fn validate_status(change: &Change<'_>, errors: &mut Errors) {
    let status = Field::root(change, "status");
    for condition in status.child("conditions").items() {
        condition.child("observedGeneration").not_negative(errors);
    }
    for key in ["currentReplicas", "desiredReplicas"] {
        status.child(key).not_negative(errors);
    }
}

/// Which API versions a reference may have.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Versions {
    Any,
    Valid,
    WithGroup,
}

/// The scale target must have a group, unless it is a ReplicationController or an update does not change it.
fn target_versions(target: &Field<'_, '_>, old: &Field<'_, '_>) -> Versions {
    let before = old.child("scaleTargetRef");
    let is_same = |key: &str| before.child(key).text() == target.child(key).text();
    if before.is_set() && is_same("apiVersion") && is_same("kind") {
        return Versions::Any;
    }
    match target.child("kind").text() {
        "ReplicationController" => Versions::Valid,
        _ => Versions::WithGroup,
    }
}

/// An update may keep invalid metric objects.
fn object_versions(old: &Field<'_, '_>) -> Versions {
    let is_wrong = old.child("metrics").items().any(|metric| {
        let version = metric.child("object");
        let version = version.child("describedObject");
        version_problem(version.child("apiVersion").text(), Versions::Valid).is_some()
    });
    if is_wrong { Versions::Any } else { Versions::Valid }
}

fn version_problem(version: &str, versions: Versions) -> Option<String> {
    match version.matches('/').count() {
        _ if versions == Versions::Any => None,
        0 if versions == Versions::WithGroup => Some("apiVersion must specify API group".to_owned()),
        0 | 1 => None,
        _ => Some(format!("unexpected GroupVersion string: {version}")),
    }
}

fn validate_reference(reference: &Field<'_, '_>, versions: Versions, errors: &mut Errors) {
    for key in ["kind", "name"] {
        reference.child(key).required_name(NameRule::PathSegment, errors);
    }
    let version = reference.child("apiVersion").or_empty();
    if let Some(problem) = version_problem(version.text(), versions) {
        version.invalid(problem, errors);
    }
}

fn validate_metric(metric: &Field<'_, '_>, objects: Versions, errors: &mut Errors) {
    let kind = metric.child("type");
    if kind.text().is_empty() {
        kind.required("must specify a metric source type", errors);
    }
    kind.one_of(words("autoscaling/v2.MetricSourceType"), errors);
    let is_set = |key: &str| metric.child(key).is_set();
    let mut present = SOURCES.iter().filter(|(_, key)| is_set(key));
    if let Some((name, key)) = present.next() {
        validate_source(name, &metric.child(key), objects, errors);
    }
    let expected = SOURCES.iter().find(|(name, _)| *name == kind.text());
    let expected = expected.map_or("", |(_, key)| key);
    if !expected.is_empty() && !is_set(expected) {
        let detail = "must populate information for the given metric source";
        metric.child(expected).required(detail, errors);
    }
    // A single source of the wrong type is not reported here.
    if SOURCES.iter().filter(|(_, key)| is_set(key)).count() > 1 {
        for (_, key) in SOURCES.iter().filter(|(_, key)| is_set(key) && *key != expected) {
            metric
                .child(key)
                .forbidden("must populate the given metric source only", errors);
        }
    }
}

fn validate_source(name: &str, source: &Field<'_, '_>, objects: Versions, errors: &mut Errors) {
    if name == "Object" {
        validate_reference(&source.child("describedObject"), objects, errors);
    }
    match name {
        "Resource" | "ContainerResource" => validate_resource(name, source, errors),
        _ => {
            let metric = source.child("metric");
            let id = metric.child("name");
            match id.text() {
                "" => id.required("must specify a metric name", errors),
                _ => id.name(NameRule::PathSegment, errors),
            }
        }
    }
    let target = source.child("target");
    validate_target(&target, errors);
    let (value, average, share) = (
        target.child("value"),
        target.child("averageValue"),
        target.child("averageUtilization"),
    );
    let (has_value, has_average, has_share) = (value.is_set(), average.is_set(), share.is_set());
    match name {
        "Object" if !has_value && !has_average => {
            average.required("must set either a target value or averageValue", errors);
        }
        "External" if !has_value && !has_average => {
            let detail = "must set either a target value for metric or a per-pod target";
            average.required(detail, errors);
        }
        "External" if has_value && has_average => {
            let detail = "may not set both a target value for metric and a per-pod target";
            value.forbidden(detail, errors);
        }
        "Pods" if !has_average => average.required("must specify a positive target averageValue", errors),
        "Resource" | "ContainerResource" if !has_share && !has_average => {
            let detail = "must set either a target raw value or a target utilization";
            share.required(detail, errors);
        }
        "Resource" | "ContainerResource" if has_share && has_average => {
            let detail = "may not set both a target raw value and a target utilization";
            average.forbidden(detail, errors);
        }
        _ => {}
    }
}

fn validate_resource(kind: &str, source: &Field<'_, '_>, errors: &mut Errors) {
    let name = source.child("name");
    if name.text().is_empty() {
        name.required("must specify a resource name", errors);
    } else if kind == "ContainerResource" {
        check_container_name(name.text(), &name, errors);
    }
    if kind == "ContainerResource" {
        let container = source.child("container");
        match container.text() {
            "" => container.required("must specify a container", errors),
            _ => container.name(NameRule::Label, errors),
        }
    }
}

fn validate_target(target: &Field<'_, '_>, errors: &mut Errors) {
    let kind = target.child("type").or_empty();
    if kind.text().is_empty() {
        kind.required("must specify a metric target type", errors);
    }
    if !words("autoscaling/v2.MetricTargetType").contains(&kind.text()) {
        kind.invalid("must be either Utilization, Value, or AverageValue", errors);
    }
    for key in ["value", "averageValue"] {
        let amount = target.child(key);
        if amount.quantity().is_some_and(|amount| amount.sign() <= 0) {
            amount.invalid("must be positive", errors);
        }
    }
    let share = target.child("averageUtilization");
    if share.is_set() {
        share.positive(errors);
    }
}

fn validate_rules(rules: &Field<'_, '_>, errors: &mut Errors) {
    const WINDOW: i64 = 3600;
    const PERIOD: i64 = 1800;
    let window = rules.child("stabilizationWindowSeconds");
    if window.number() < 0 {
        window.invalid("must be greater than or equal to zero", errors);
    }
    if window.number() > WINDOW {
        window.invalid(format!("must be less than or equal to {WINDOW}"), errors);
    }
    let select = rules.child("selectPolicy");
    if select.is_set() {
        select.one_of(words("autoscaling/v2.ScalingPolicySelect"), errors);
    }
    let policies = rules.child("policies");
    if policies.len() == 0 {
        policies.required("must specify at least one Policy", errors);
    }
    for policy in policies.items() {
        policy
            .child("type")
            .one_of(words("autoscaling/v2.HPAScalingPolicyType"), errors);
        let period = policy.child("periodSeconds");
        for amount in [policy.child("value"), period] {
            if amount.number() <= 0 {
                amount.invalid("must be greater than zero", errors);
            }
        }
        if period.number() > PERIOD {
            period.invalid(format!("must be less than or equal to {PERIOD}"), errors);
        }
    }
    check_not_negative(&rules.child("tolerance"), errors);
}
