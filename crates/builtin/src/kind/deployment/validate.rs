//! The rules of deployments.

use kindsmith_formats::format::message;
use kindsmith_json::{Path, Value};
use kindsmith_object::{BadValue, FieldError};

use crate::rule::{
    as_json, entries, forbidden, immutable, invalid, items, not_negative, not_supported, number, required,
    text,
};
use crate::selector::{matches, validate_selector};
use crate::{Change, pod};

const SPEC: Path<'static> = Path::root("spec");

pub(super) fn validate_spec(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let get = |key| change.get(&["spec", key]);
    not_negative(&SPEC.child("replicas"), get("replicas"), errors);
    let path = SPEC.child("selector");
    let selector = get("selector");
    let before = errors.len();
    match selector {
        None => errors.push(required(&path, "")),
        Some(selector) => {
            validate_selector(selector, &path, errors);
            let is_empty = entries(selector.get("matchLabels")).is_empty()
                && items(selector.get("matchExpressions")).is_empty();
            if is_empty {
                let detail = "empty selector is invalid for deployment";
                errors.push(invalid(&path, as_json(Some(selector)), detail));
            }
        }
    }
    let is_right = errors.len() == before;
    pod::validate_controlled(
        get("template").unwrap_or_default(),
        |labels| !is_right || selector.is_none_or(|selector| matches(selector, labels)),
        "ReplicaSet",
        &SPEC.child("template"),
        errors,
    );
    validate_strategy(
        get("strategy").unwrap_or_default(),
        &SPEC.child("strategy"),
        errors,
    );
    for key in [
        "minReadySeconds",
        "revisionHistoryLimit",
        "progressDeadlineSeconds",
    ] {
        not_negative(&SPEC.child(key), get(key), errors);
    }
    if let Some(seconds) = get("progressDeadlineSeconds").and_then(Value::as_i64)
        && seconds <= number(get("minReadySeconds"))
    {
        let detail = "must be greater than minReadySeconds";
        let bad = BadValue::Integer(seconds.into());
        errors.push(invalid(&SPEC.child("progressDeadlineSeconds"), bad, detail));
    }
    if change.old.is_some() && as_json(selector) != as_json(change.get_old(&["spec", "selector"])) {
        immutable(&path, as_json(selector), errors);
    }
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
            let mut error = not_supported(path, "", &["Recreate", "RollingUpdate"]);
            error.bad = as_json(Some(strategy));
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
    if percent(unavailable).is_some_and(|value| value > 100) {
        let detail = "must not be greater than 100%";
        errors.push(invalid(&unavailable_path, as_json(unavailable), detail));
    }
}

/// Checks a number of pods, or a share of them.
fn validate_amount(value: Option<Value<'_>>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    match value {
        Some(Value::Str(_)) if percent(value).is_none() => {
            let detail = message::regex(
                "a valid percent string must be a numeric string followed by an ending '%'",
                "[0-9]+%",
                &["1%", "93%"],
            );
            errors.push(invalid(path, as_json(value), detail));
        }
        Some(Value::Str(_)) => {}
        value => not_negative(path, value, errors),
    }
}

fn percent(value: Option<Value<'_>>) -> Option<i64> {
    let digits = value?.as_str()?.strip_suffix('%')?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(i64::MAX))
}

fn amount(value: Option<Value<'_>>) -> i64 {
    percent(value).unwrap_or_else(|| match value {
        Some(Value::Str(text)) => text.parse().unwrap_or_default(),
        value => number(value),
    })
}

pub(super) fn validate_status(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let status = Path::root("status");
    let get = |key| change.get(&["status", key]);
    for key in [
        "observedGeneration",
        "replicas",
        "updatedReplicas",
        "readyReplicas",
        "availableReplicas",
        "unavailableReplicas",
        "terminatingReplicas",
        "collisionCount",
    ] {
        not_negative(&status.child(key), get(key), errors);
    }
    for (key, limit, of) in [
        ("updatedReplicas", "replicas", "status.replicas"),
        ("readyReplicas", "replicas", "status.replicas"),
        ("availableReplicas", "replicas", "status.replicas"),
        ("availableReplicas", "readyReplicas", "readyReplicas"),
    ] {
        if number(get(key)) > number(get(limit)) {
            let bad = BadValue::Integer(number(get(key)).into());
            errors.push(invalid(
                &status.child(key),
                bad,
                format!("cannot be greater than {of}"),
            ));
        }
    }
    let collisions = number(get("collisionCount"));
    let before = change.get_old(&["status", "collisionCount"]);
    if before.is_some() && collisions < number(before) {
        let bad = BadValue::Integer(collisions.into());
        errors.push(invalid(
            &status.child("collisionCount"),
            bad,
            "cannot be decremented",
        ));
    }
}
