//! Validation of deployments.

use kindsmith_json::{Path, Value};
use kindsmith_object::{BadValue, FieldError};

use super::super::workload::{
    SPEC, Words, amount, strategy_value, validate_amount, validate_collisions, validate_counts,
    validate_limits, validate_pods, validate_same_selector, validate_share,
};
use crate::Change;
use crate::field_check::{forbidden, invalid, not_negative, not_supported, number, required, text};
use crate::go_value::json::as_json;
use crate::types::words;

/// The revision to return to, which used to be a field.
const ROLLBACK: &str = "deprecated.deployment.rollback.to";

const WORDS: Words = Words {
    empty: "deployment",
    broken: "invalid label selector",
    template: "ReplicaSet",
};

pub(super) fn validate_spec(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let get = |key| change.get(&["spec", key]);
    not_negative(&SPEC.child("replicas"), get("replicas"), errors);
    validate_pods(change, get("template").unwrap_or_default(), &WORDS, errors);
    validate_strategy(
        get("strategy").unwrap_or_default(),
        &SPEC.child("strategy"),
        errors,
    );
    for key in ["minReadySeconds", "revisionHistoryLimit"] {
        not_negative(&SPEC.child(key), get(key), errors);
    }
    let rollback = text(change.new.meta.annotations.get(ROLLBACK));
    let revision = rollback.parse().ok().map(Value::Int);
    not_negative(&SPEC.child("rollback").child("version"), revision, errors);
    not_negative(
        &SPEC.child("progressDeadlineSeconds"),
        get("progressDeadlineSeconds"),
        errors,
    );
    if let Some(seconds) = get("progressDeadlineSeconds").and_then(Value::as_i64)
        && seconds <= number(get("minReadySeconds"))
    {
        let detail = "must be greater than minReadySeconds";
        let bad = BadValue::Integer(seconds.into());
        errors.push(invalid(&SPEC.child("progressDeadlineSeconds"), bad, detail));
    }
    validate_same_selector(change, errors);
}

fn validate_strategy(strategy: Value<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let rolling_path = path.child("rollingUpdate");
    let rolling = strategy.get("rollingUpdate").filter(|value| !value.is_null());
    match (text(strategy.get("type")), rolling) {
        ("Recreate", Some(_)) => {
            let detail = "may not be specified when strategy `type` is 'Recreate'";
            errors.push(forbidden(&rolling_path, detail));
        }
        ("Recreate", None) => {}
        ("RollingUpdate", None) => {
            errors.push(required(
                &rolling_path,
                "this should be defaulted and never be nil",
            ));
        }
        ("RollingUpdate", Some(rolling)) => validate_rolling(rolling, &rolling_path, errors),
        _ => {
            let mut error = not_supported(path, "", words("apps/v1.DeploymentStrategyType"));
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
    let unavailable_path = path.child("maxUnavailable");
    validate_amount(unavailable, &unavailable_path, errors);
    validate_amount(surge, &path.child("maxSurge"), errors);
    if amount(unavailable) == 0 && amount(surge) == 0 {
        let detail = "may not be 0 when `maxSurge` is 0";
        errors.push(invalid(&unavailable_path, as_json(unavailable), detail));
    }
    validate_share(unavailable, &unavailable_path, errors);
}

pub(super) fn validate_status(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let counts = [
        "observedGeneration",
        "replicas",
        "updatedReplicas",
        "readyReplicas",
        "availableReplicas",
        "unavailableReplicas",
        "terminatingReplicas",
        "collisionCount",
    ];
    validate_counts(change, &counts, errors);
    let limits = [
        ("updatedReplicas", "replicas", "status.replicas"),
        ("readyReplicas", "replicas", "status.replicas"),
        ("availableReplicas", "replicas", "status.replicas"),
        ("availableReplicas", "readyReplicas", "readyReplicas"),
    ];
    validate_limits(change, &limits, errors);
    validate_collisions(change, errors);
}
