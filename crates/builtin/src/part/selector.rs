//! Label selectors inside objects (`metav1.LabelSelector`): validation and matching.

use kindsmith_formats::format;
use kindsmith_json::{Object, Path, Value};
use kindsmith_object::{FieldError, LabelSelector};

use crate::field_check::{entries, forbidden, invalid, invalid_text, items, required, text};
use crate::go_value::json::as_json;

/// Checks a selector (`ValidateLabelSelector` in apimachinery's pkg/apis/meta/v1/validation/validation.go).
pub(crate) fn validate_selector(selector: Value<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let labels = entries(selector.get("matchLabels"));
    kindsmith_object::meta::validate_labels(labels, &path.child("matchLabels"), errors);
    let expressions = path.child("matchExpressions");
    for (index, expression) in items(selector.get("matchExpressions")).iter().enumerate() {
        validate_expression(*expression, &expressions.index(index), errors);
    }
}

fn validate_expression(expression: Value<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    if !check_count(expression, path, errors) {
        let bad = as_json(Some(Value::Str(text(expression.get("operator")))));
        errors.push(invalid(
            &path.child("operator"),
            bad,
            "not a valid selector operator",
        ));
    }
    check_label(expression, path, errors);
}

/// Checks that a requirement has values if its operator needs them, and none otherwise. `false` if the operator is not known.
pub(crate) fn check_count(requirement: Value<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) -> bool {
    let values = items(requirement.get("values"));
    let values_path = path.child("values");
    match text(requirement.get("operator")) {
        "In" | "NotIn" if values.is_empty() => {
            let detail = "must be specified when `operator` is 'In' or 'NotIn'";
            errors.push(required(&values_path, detail));
        }
        "Exists" | "DoesNotExist" if !values.is_empty() => {
            let detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
            errors.push(forbidden(&values_path, detail));
        }
        "In" | "NotIn" | "Exists" | "DoesNotExist" => {}
        _ => return false,
    }
    true
}

/// Checks the label and the values of a requirement.
pub(crate) fn check_label(requirement: Value<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let key = text(requirement.get("key"));
    check("k8s-label-key", key, &path.child("key"), errors);
    let values_path = path.child("values");
    for (index, value) in items(requirement.get("values")).iter().enumerate() {
        let value = value.as_str().unwrap_or_default();
        check("k8s-label-value", value, &values_path.index(index), errors);
    }
}

fn check(name: &str, value: &str, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let Some(format) = format::find(name) else { return };
    (format.check)(value, &mut |violation| {
        errors.push(invalid_text(path, value, violation.detail));
    });
}

/// Does a selector match labels? One that is not right matches nothing.
#[must_use]
pub fn matches(selector: Value<'_>, labels: Object<'_>) -> bool {
    LabelSelector::read(selector).matches(labels)
}

/// Whether all wanted labels are present.
pub(crate) fn matches_labels(wanted: Object<'_>, labels: Object<'_>) -> bool {
    wanted.iter().all(|(key, value)| labels.get(key) == Some(value))
}

/// A selector as text, for scales: requirements in the order of their keys (`metav1.FormatLabelSelector`).
pub(crate) fn to_text(selector: Value<'_>) -> String {
    let labels = entries(selector.get("matchLabels"));
    let mut parts: Vec<(String, String)> = labels
        .iter()
        .map(|(key, value)| {
            (
                key.to_owned(),
                format!("{key}={}", value.as_str().unwrap_or_default()),
            )
        })
        .collect();
    for expression in items(selector.get("matchExpressions")) {
        let key = text(expression.get("key"));
        let mut values: Vec<&str> = items(expression.get("values"))
            .iter()
            .filter_map(|value| value.as_str())
            .collect();
        values.sort_unstable();
        let values = values.join(",");
        let part = match text(expression.get("operator")) {
            "In" => format!("{key} in ({values})"),
            "NotIn" => format!("{key} notin ({values})"),
            "Exists" => key.to_owned(),
            _ => format!("!{key}"),
        };
        parts.push((key.to_owned(), part));
    }
    parts.sort();
    let parts: Vec<String> = parts.into_iter().map(|(_, part)| part).collect();
    parts.join(",")
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str};

    use super::*;

    #[test]
    fn selectors_match_and_print() {
        let arena = Arena::new();
        let value = |text| parse_str(&arena, text).expect("JSON");
        let selector = value(
            r#"{"matchLabels":{"b":"1"},"matchExpressions":[{"key":"a","operator":"In","values":["y","x"]},{"key":"c","operator":"DoesNotExist"}]}"#,
        );
        assert_eq!(to_text(selector), "a in (x,y),b=1,!c");
        for (labels, expected) in [
            (r#"{"a":"x","b":"1"}"#, true),
            (r#"{"a":"z","b":"1"}"#, false),
            (r#"{"a":"x","b":"1","c":""}"#, false),
            (r#"{"a":"x"}"#, false),
        ] {
            let labels = value(labels).as_object().expect("an object");
            assert_eq!(matches(selector, labels), expected);
        }
    }
}
