//! Validation of resource quotas beyond tags (`ValidateResourceQuotaSpec` in pkg/apis/core/validation/validation.go).

use std::collections::HashSet;

use kindsmith_object::{BadValue, FieldError};

use super::described::Described;
use crate::Change;
use crate::field::{Errors, Field};
use crate::field_check::invalid;
use crate::go_value::json::as_json;
use crate::part::resource_name::{check_amount, check_quota_name, is_quota};
use crate::table::{Heading, Row, Table, column};
use crate::types::words;
use kindsmith_json::{Object, Value};

pub(crate) const RESOURCE_QUOTA: Described = Described {
    short_names: &["quota"],
    starts_at_one: false,
    watched: &[],
    rules: validate_resource_quota,
    table: Table {
        headings: RESOURCE_QUOTA_COLUMNS,
        cells: resource_quota_cells,
    },
    ..Described::STATUS
};

const RESOURCE_QUOTA_COLUMNS: &[Heading] = &[
    column::NAME,
    column::in_words(
        "Request",
        "Requested amounts that are used, of those that are allowed.",
    ),
    column::in_words("Limit", "Limits that are used, of those that are allowed."),
    column::AGE,
];

const COMPUTE: [&str; 7] = [
    "pods",
    "cpu",
    "memory",
    "limits.cpu",
    "limits.memory",
    "requests.cpu",
    "requests.memory",
];

/// Validates a quota, or only its status.
pub(crate) fn validate_resource_quota(change: &Change<'_>, errors: &mut Errors) {
    if change.subresource == "status" {
        let status = Field::root(change, "status");
        for key in ["hard", "used"] {
            validate_amounts(&status.child(key), errors);
        }
        return;
    }
    let spec = Field::root(change, "spec");
    validate_amounts(&spec.child("hard"), errors);
    validate_scopes(&spec, errors);
    validate_selector(&spec, errors);
    if change.old.is_some() {
        let old = Field::old_root(change, "spec");
        let scopes = spec.child("scopes");
        if names(&scopes) != names(&old.child("scopes")) {
            scopes.invalid("field is immutable", errors);
        }
    }
}

fn names<'v>(list: &Field<'_, 'v>) -> HashSet<&'v str> {
    list.items().map(|item| item.text()).collect()
}

fn validate_amounts(amounts: &Field<'_, '_>, errors: &mut Errors) {
    for (name, amount) in amounts.entries() {
        check_quota_name(name, &amount, errors);
        check_amount(name, &amount, errors);
    }
}

fn is_scope(name: &str) -> bool {
    words("core/v1.ResourceQuotaScope").contains(&name)
}

/// Whether a scope can limit a resource.
fn applies(scope: &str, resource: &str) -> bool {
    match scope {
        "BestEffort" => resource == "pods",
        "VolumeAttributesClass" => ["persistentvolumeclaims", "requests.storage"].contains(&resource),
        scope if is_scope(scope) => COMPUTE.contains(&resource),
        _ => true,
    }
}

/// How many resources of a quota the scope cannot limit.
fn misfits(spec: &Field<'_, '_>, scope: &str) -> usize {
    let hard = spec.child("hard");
    let names = hard.entries().map(|(name, _)| name);
    names
        .filter(|name| is_quota(name) && !applies(scope, name))
        .count()
}

fn conflicts(scopes: &HashSet<&str>) -> usize {
    let pairs = [("BestEffort", "NotBestEffort"), ("Terminating", "NotTerminating")];
    let is_conflict = |(one, other): &(&str, &str)| scopes.contains(one) && scopes.contains(other);
    pairs.iter().filter(|pair| is_conflict(pair)).count()
}

fn validate_scopes(spec: &Field<'_, '_>, errors: &mut Errors) {
    let scopes = spec.child("scopes");
    for scope in scopes.items() {
        if !is_scope(scope.text()) {
            scopes.invalid("unsupported scope", errors);
        }
        for _ in 0..misfits(spec, scope.text()) {
            scopes.invalid("unsupported scope applied to resource", errors);
        }
    }
    for _ in 0..conflicts(&names(&scopes)) {
        scopes.invalid("conflicting scopes", errors);
    }
}

/// Errors here have no index.
fn validate_selector(spec: &Field<'_, '_>, errors: &mut Errors) {
    let selector = spec.child("scopeSelector");
    let terms = selector.child("matchExpressions");
    let report = |key: &str, bad: BadValue, detail: &str| -> FieldError {
        invalid(&terms.path.child(key), bad, detail.to_owned())
    };
    let mut seen = HashSet::new();
    for term in terms.items() {
        let (scope, operator, values) = (
            term.child("scopeName"),
            term.child("operator"),
            term.child("values"),
        );
        let shown = |field: &Field<'_, '_>| BadValue::Text(field.text().into());
        seen.insert(scope.text());
        if !is_scope(scope.text()) {
            errors.push(report("scopeName", shown(&scope), "unsupported scope"));
        }
        for _ in 0..misfits(spec, scope.text()) {
            let detail = "unsupported scope applied to resource";
            errors.push(invalid(&terms.path, internal_selector(&terms), detail));
        }
        let takes_values = ["PriorityClass", "VolumeAttributesClass"].contains(&scope.text());
        if is_scope(scope.text()) && !takes_values && operator.text() != "Exists" {
            let detail = "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, \
                          ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, \
                          ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
            errors.push(report("operator", shown(&operator), detail));
        }
        match (operator.text(), values.len()) {
            ("In" | "NotIn", 0) => {
                let detail =
                    "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
                errors.push(crate::field_check::required(&terms.path.child("values"), detail));
            }
            ("In" | "NotIn", _) | ("Exists" | "DoesNotExist", 0) => {}
            ("Exists" | "DoesNotExist", _) => {
                let detail =
                    "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
                errors.push(report("values", values.shown(), detail));
            }
            _ => errors.push(report(
                "operator",
                shown(&operator),
                "not a valid selector operator",
            )),
        }
    }
    for _ in 0..conflicts(&seen) {
        errors.push(invalid(
            &terms.path,
            spec.child("scopes").shown(),
            "conflicting scopes",
        ));
    }
}

/// The selector as Go prints its internal type.
fn internal_selector(terms: &Field<'_, '_>) -> BadValue {
    let term = |term: Field<'_, '_>| {
        let show = |key: &str| as_json(term.child(key).value).to_json();
        format!(
            r#"{{"ScopeName":{},"Operator":{},"Values":{}}}"#,
            show("scopeName"),
            show("operator"),
            show("values")
        )
    };
    let terms: Vec<String> = terms.items().map(term).collect();
    BadValue::Json(format!(r#"{{"MatchExpressions":[{}]}}"#, terms.join(",")).into())
}

fn resource_quota_cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let hard = row
        .at("status.hard")
        .as_object()
        .map(Object::sorted)
        .unwrap_or_default();
    let used = row.at("status.used");
    let amounts = |is_limit: bool| {
        let amounts = hard
            .iter()
            .filter(|entry| entry.key.starts_with("limits.") == is_limit);
        let amounts = amounts.map(|entry| {
            let used = used.get(entry.key).and_then(Value::as_str).unwrap_or("0");
            format!(
                "{}: {used}/{}",
                entry.key,
                entry.value.as_str().unwrap_or_default()
            )
        });
        row.cell(&amounts.collect::<Vec<_>>().join(", "))
    };
    vec![row.name(), amounts(false), amounts(true), row.age()]
}
