//! Checks that workloads share: templates, selectors, replica counts (pkg/apis/apps/validation/validation.go).

use kindsmith_formats::format::message;
use kindsmith_json::write::{Escape, Format};
use kindsmith_json::{Object, Path, Value};
use kindsmith_object::{BadValue, FieldError};

use crate::field_check::{entries, immutable, invalid, items, not_negative, number, required, text};
use crate::go_value::json::{as_go, as_json, is_same};
use crate::part::selector::{matches, validate_selector};
use crate::{Change, pod};

pub(in crate::kind) const SPEC: Path<'static> = Path::root("spec");
const STATUS: Path<'static> = Path::root("status");

/// Checks that the selector is not empty and matches the template's labels. A missing selector matches no pods. If
/// the selector is invalid, the template is not checked, and the error has its own text.
pub(in crate::kind) fn validate_pods(
    change: &Change<'_>,
    template: Value<'_>,
    words: &Words,
    errors: &mut Vec<FieldError>,
) {
    let path = SPEC.child("selector");
    let selector = change.get(&["spec", "selector"]);
    let Some(found) = selector else {
        errors.push(required(&path, ""));
        return validate_template(change, template, |_| false, words, errors);
    };
    let before = errors.len();
    validate_selector(found, &path, errors);
    let is_right = errors.len() == before;
    if is_empty(found) {
        let detail = format!("empty selector is invalid for {}", words.empty);
        errors.push(invalid(&path, as_go(selector), detail));
    }
    if is_right {
        validate_template(change, template, |labels| matches(found, labels), words, errors);
    } else {
        errors.push(invalid(&path, as_go(selector), words.broken));
    }
}

/// Texts that differ between kinds.
pub(in crate::kind) struct Words {
    /// For an empty selector.
    pub(in crate::kind) empty: &'static str,
    /// The whole text for an invalid selector.
    pub(in crate::kind) broken: &'static str,
    /// For a template.
    pub(in crate::kind) template: &'static str,
}

fn validate_template(
    change: &Change<'_>,
    template: Value<'_>,
    is_selected: impl Fn(Object<'_>) -> bool,
    words: &Words,
    errors: &mut Vec<FieldError>,
) {
    pod::validate_controlled(
        template,
        is_selected,
        words.template,
        &SPEC.child("template"),
        change.release,
        errors,
    );
}

/// Whether a selector has neither labels nor expressions.
pub(in crate::kind) fn is_empty(selector: Value<'_>) -> bool {
    entries(selector.get("matchLabels")).is_empty() && items(selector.get("matchExpressions")).is_empty()
}

/// A strategy as errors print it: with the members of the internal Go struct.
pub(in crate::kind) fn strategy_value(
    strategy: Value<'_>,
    members: &[(&str, &str, Value<'static>)],
) -> BadValue {
    let rolling = strategy.get("rollingUpdate").filter(|value| !value.is_null());
    let rolling = rolling_value(rolling, members).to_json();
    let kind = json(Value::Str(text(strategy.get("type"))));
    BadValue::Json(format!(r#"{{"Type":{kind},"RollingUpdate":{rolling}}}"#).into())
}

/// A rolling update as errors print it.
pub(in crate::kind) fn rolling_value(
    rolling: Option<Value<'_>>,
    members: &[(&str, &str, Value<'static>)],
) -> BadValue {
    let Some(rolling) = rolling else {
        return BadValue::Json("null".into());
    };
    let member = |&(name, key, absent): &(&str, &str, Value<'static>)| {
        let value = rolling.get(key).unwrap_or(absent);
        format!("{}:{}", json(Value::Str(name)), json(value))
    };
    let members: Vec<String> = members.iter().map(member).collect();
    BadValue::Json(format!("{{{}}}", members.join(",")).into())
}

fn json(value: Value<'_>) -> String {
    let mut out = String::new();
    Format::default().escape(Escape::Html).append(&mut out, value);
    out
}

/// Checks a number or percentage of pods (`ValidatePositiveIntOrPercent`).
pub(in crate::kind) fn validate_amount(
    value: Option<Value<'_>>,
    path: &Path<'_>,
    errors: &mut Vec<FieldError>,
) {
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

/// Rejects more than 100 % (`IsNotMoreThan100Percent`).
pub(in crate::kind) fn validate_share(
    value: Option<Value<'_>>,
    path: &Path<'_>,
    errors: &mut Vec<FieldError>,
) {
    if percent(value).is_some_and(|value| value > 100) {
        let detail = "must not be greater than 100%";
        errors.push(invalid(path, as_json(value), detail));
    }
}

fn percent(value: Option<Value<'_>>) -> Option<i64> {
    let digits = value?.as_str()?.strip_suffix('%')?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(i64::MAX))
}

/// A number or percentage of pods.
pub(in crate::kind) fn amount(value: Option<Value<'_>>) -> i64 {
    percent(value).unwrap_or_else(|| match value {
        Some(Value::Str(text)) => text.parse().unwrap_or_default(),
        value => number(value),
    })
}

/// Status counts must not be negative.
pub(in crate::kind) fn validate_counts(
    change: &Change<'_>,
    keys: &[&'static str],
    errors: &mut Vec<FieldError>,
) {
    for key in keys {
        not_negative(&STATUS.child(key), change.get(&["status", key]), errors);
    }
}

/// Status counts that must not exceed another: count, limit, and the limit's name in messages.
pub(in crate::kind) fn validate_limits(
    change: &Change<'_>,
    limits: &[(&'static str, &str, &str)],
    errors: &mut Vec<FieldError>,
) {
    let count = |key| number(change.get(&["status", key]));
    for (key, limit, name) in limits {
        if count(key) > count(limit) {
            let detail = format!("cannot be greater than {name}");
            let bad = BadValue::Integer(count(key).into());
            errors.push(invalid(&STATUS.child(key), bad, detail));
        }
    }
}

/// `collisionCount` must not decrease.
pub(in crate::kind) fn validate_collisions(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let collisions = number(change.get(&["status", "collisionCount"]));
    let before = change.get_old(&["status", "collisionCount"]);
    if before.is_some() && collisions < number(before) {
        let path = STATUS.child("collisionCount");
        let bad = BadValue::Integer(collisions.into());
        errors.push(invalid(&path, bad, "cannot be decremented"));
    }
}

/// The selector must not change.
pub(in crate::kind) fn validate_same_selector(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let selector = change.get(&["spec", "selector"]);
    if change.old.is_some() && !is_same(selector, change.get_old(&["spec", "selector"])) {
        immutable(&SPEC.child("selector"), as_go(selector), errors);
    }
}
