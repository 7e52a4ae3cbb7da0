//! Selectors of access reviews that were not understood (`BuildEvaluationError` in pkg/registry/authorization/util/helpers.go).
//! They are ignored, which the answer says.

use kindsmith_json::Value;
use kindsmith_object::Release;

use crate::read::selector::{FieldSelector, parse_labels};

/// What was ignored; `None` if nothing was.
pub(super) fn error(release: Release, spec: Value<'_>) -> Option<String> {
    let selector = |key: &str| {
        let found = spec.lookup(&["resourceAttributes", key])?;
        let words = ignored(release, key, found)?;
        Some(format!(
            "spec.resourceAttributes.{key} {words} due to parse error"
        ))
    };
    let errors: Vec<String> = ["fieldSelector", "labelSelector"]
        .into_iter()
        .filter_map(selector)
        .collect();
    (!errors.is_empty()).then(|| errors.join("; "))
}

/// How much of a selector is ignored, in words.
fn ignored(release: Release, key: &str, selector: Value<'_>) -> Option<&'static str> {
    let is_label = key == "labelSelector";
    let raw = selector.text("rawSelector");
    if !raw.is_empty() {
        let is_wrong = if is_label {
            parse_labels(raw, release).is_err()
        } else {
            FieldSelector::parse(raw).is_err()
        };
        return is_wrong.then_some("ignored");
    }
    let requirements = selector.get("requirements").and_then(Value::as_array);
    let requirements = requirements.unwrap_or_default();
    let understood = requirements
        .iter()
        .filter(|requirement| is_understood(is_label, **requirement))
        .count();
    match understood {
        all if all == requirements.len() => None,
        0 => Some("ignored"),
        _ => Some("partially ignored"),
    }
}

/// Labels have all operators, fields those with one value.
fn is_understood(is_label: bool, requirement: Value<'_>) -> bool {
    let values = requirement.get("values").and_then(Value::as_array);
    match requirement.text("operator") {
        "In" | "NotIn" => is_label || values.is_some_and(|values| values.len() == 1),
        "Exists" | "DoesNotExist" => is_label,
        _ => false,
    }
}
