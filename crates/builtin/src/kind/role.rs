//! Roles and cluster roles (pkg/apis/rbac/validation/validation.go). A tag makes verbs required.

use kindsmith_json::{Path, Value};
use kindsmith_object::meta::{NameRule, Scope};
use kindsmith_object::{BadValue, FieldError};

use crate::field_check::{invalid, items, required};
use crate::go_value::json::as_json;
use crate::part::selector::validate_selector;
use crate::{Change, Strategy};

/// Roles and cluster roles.
#[derive(Debug)]
pub(crate) struct Role;

impl Strategy for Role {
    fn name_rule(&self) -> NameRule {
        NameRule::PathSegment
    }

    fn creates_on_update(&self) -> bool {
        true
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        change.validate_new_metadata(errors);
        let rules = Path::root("rules");
        for (index, rule) in items(change.get(&["rules"])).iter().enumerate() {
            validate_rule(*rule, change.scope, &rules.index(index), errors);
        }
        validate_aggregation(change, errors);
        if change.old.is_some() {
            change.validate_metadata(errors);
        }
    }
}

fn validate_rule(rule: Value<'_>, scope: Scope, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let has = |key: &str| !items(rule.get(key)).is_empty();
    if has("nonResourceURLs") {
        let path = path.child("nonResourceURLs");
        let mut refuse =
            |detail: &str| errors.push(invalid(&path, as_json(rule.get("nonResourceURLs")), detail));
        if scope == Scope::Namespaced {
            refuse("namespaced rules cannot apply to non-resource URLs");
        }
        if has("apiGroups") || has("resources") || has("resourceNames") {
            refuse("rules cannot apply to both regular resources and non-resource URLs");
        }
        return;
    }
    if !has("apiGroups") {
        let detail = "resource rules must supply at least one api group";
        errors.push(required(&path.child("apiGroups"), detail));
    }
    if !has("resources") {
        let detail = "resource rules must supply at least one resource";
        errors.push(required(&path.child("resources"), detail));
    }
}

fn validate_aggregation(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let Some(rule) = change.get(&["aggregationRule"]) else {
        return;
    };
    let aggregation = Path::root("aggregationRule");
    let path = aggregation.child("clusterRoleSelectors");
    let selectors = items(rule.get("clusterRoleSelectors"));
    if selectors.is_empty() {
        let detail = "at least one clusterRoleSelector required if aggregationRule is non-nil";
        errors.push(required(&path, detail));
    }
    for (index, selector) in selectors.iter().enumerate() {
        let path = path.index(index);
        let before = errors.len();
        validate_selector(*selector, &path, errors);
        if errors.len() > before {
            errors.push(invalid(&path, BadValue::Nil, "invalid label selector."));
        }
    }
}
