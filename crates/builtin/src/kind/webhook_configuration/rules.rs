//! Rules of a webhook (`validateRuleWithOperations` in pkg/apis/admissionregistration/validation).

use kindsmith_json::{Path, Value};
use kindsmith_object::FieldError;

use crate::field_check::{invalid, invalid_text, items, not_supported, required, text};
use crate::go_value::json::as_json;

const OPERATIONS: [&str; 5] = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const SCOPES: [&str; 3] = ["*", "Cluster", "Namespaced"];

/// Checks a `RuleWithOperations`.
pub(in crate::kind) fn validate(rule: Value<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let operations = path.child("operations");
    validate_list(rule.get("operations"), &operations, "operations", errors);
    for (index, &operation) in items(rule.get("operations")).iter().enumerate() {
        let operation = text(Some(operation));
        if !OPERATIONS.contains(&operation) {
            errors.push(not_supported(&operations.index(index), operation, &OPERATIONS));
        }
    }
    validate_list(
        rule.get("apiGroups"),
        &path.child("apiGroups"),
        "API groups",
        errors,
    );
    let versions = path.child("apiVersions");
    validate_list(rule.get("apiVersions"), &versions, "API versions", errors);
    for (index, &version) in items(rule.get("apiVersions")).iter().enumerate() {
        if text(Some(version)).is_empty() {
            errors.push(required(&versions.index(index), ""));
        }
    }
    validate_resources(rule.get("resources"), &path.child("resources"), errors);
    if let Some(scope) = rule.get("scope").and_then(Value::as_str)
        && !SCOPES.contains(&scope)
    {
        errors.push(not_supported(&path.child("scope"), scope, &SCOPES));
    }
}

/// A list must not be empty, and `*` must be its only element.
fn validate_list(list: Option<Value<'_>>, path: &Path<'_>, what: &str, errors: &mut Vec<FieldError>) {
    let given = items(list);
    if given.is_empty() {
        errors.push(required(path, ""));
    } else if given.len() > 1 && given.contains(&Value::Str("*")) {
        let detail = format!("if '*' is present, must not specify other {what}");
        errors.push(invalid(path, as_json(list), detail));
    }
}

fn validate_resources(list: Option<Value<'_>>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let given: Vec<&str> = items(list).iter().map(|&item| text(Some(item))).collect();
    if given.is_empty() {
        errors.push(required(path, ""));
    }
    let (mut whole, mut anywhere) = (Vec::new(), Vec::new());
    for (index, &resource) in given.iter().enumerate() {
        if resource.is_empty() {
            errors.push(required(&path.index(index), ""));
        }
        let Some((name, part)) = resource.split_once('/') else {
            continue;
        };
        let mut complain = |pattern: String| {
            let detail = format!("if '{pattern}' is present, must not specify {resource}");
            errors.push(invalid_text(&path.index(index), resource, detail));
        };
        if whole.contains(&name) {
            complain(format!("{name}/*"));
        }
        if anywhere.contains(&part) {
            complain(format!("*/{part}"));
        }
        if part == "*" {
            whole.push(name);
        }
        if name == "*" {
            anywhere.push(part);
        }
    }
    if given.len() > 1 && given.contains(&"*/*") {
        let detail = "if '*/*' is present, must not specify other resources";
        errors.push(invalid(path, as_json(list), detail));
    }
    // Of resources without a subresource, the last one decides.
    let mut plain = given
        .iter()
        .filter(|resource| !resource.is_empty() && !resource.contains('/'));
    if given.contains(&"*") && plain.next_back().is_some_and(|last| *last != "*") {
        let detail = "if '*' is present, must not specify other resources without subresources";
        errors.push(invalid(path, as_json(list), detail));
    }
}
