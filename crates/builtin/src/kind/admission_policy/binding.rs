//! Bindings of policies.

use std::collections::HashSet;

use kindsmith_object::meta::NameRule;

use super::match_resources::{only_mutating, validate_match_resources};
use super::validate_name;
use crate::Change;
use crate::field::{Errors, Field};
use crate::types::{declared, words};

/// Checks a binding of a validating policy. That policy and actions are there is checked by tags.
pub(crate) fn validate_validating_binding(change: &Change<'_>, errors: &mut Errors) {
    validate_name(change, errors);
    let spec = Field::root(change, "spec");
    let policy = spec.child("policyName");
    if !policy.text().is_empty() {
        policy.name(NameRule::Subdomain, errors);
    }
    validate_common(&spec, errors);
    validate_actions(&spec.child("validationActions"), errors);
}

/// Checks a binding of a mutating policy.
pub(crate) fn validate_mutating_binding(change: &Change<'_>, errors: &mut Errors) {
    validate_name(change, errors);
    let spec = Field::root(change, "spec");
    spec.child("policyName")
        .required_name(NameRule::Subdomain, errors);
    validate_common(&spec, errors);
    only_mutating(&spec.child("matchResources"), errors);
}

fn validate_common(spec: &Field<'_, '_>, errors: &mut Errors) {
    let params = spec.child("paramRef");
    if params.is_set() {
        validate_param_ref(&params, errors);
    }
    let resources = spec.child("matchResources");
    if resources.is_set() {
        validate_match_resources(&resources, errors);
    }
}

fn validate_param_ref(params: &Field<'_, '_>, errors: &mut Errors) {
    let (name, selector) = (params.child("name"), params.child("selector"));
    let has_name = !name.text().is_empty();
    let both = "name and selector are mutually exclusive";
    if has_name {
        name.name(NameRule::PathSegment, errors);
        if selector.is_set() {
            name.forbidden(both, errors);
        }
    }
    if selector.is_set() {
        selector.selector(errors);
        if has_name {
            selector.forbidden(both, errors);
        }
    }
    if !has_name && !selector.is_set() {
        params.required("one of name or selector must be specified", errors);
    }
    let action = params.child("parameterNotFoundAction");
    match action.text() {
        "" => action.required("", errors),
        _ => action.one_of(
            declared("admissionregistration/v1.ParameterNotFoundActionType"),
            errors,
        ),
    }
}

fn validate_actions(actions: &Field<'_, '_>, errors: &mut Errors) {
    let mut seen = HashSet::new();
    for action in actions.items() {
        action.one_of(words("admissionregistration/v1.ValidationAction"), errors);
        if !seen.insert(action.text()) {
            action.duplicate(errors);
        }
    }
    if seen.contains("Deny") && seen.contains("Warn") {
        let detail = "must not contain both Deny and Warn (repeating the same validation failure information in the API \
                      response and headers serves no purpose)";
        actions.invalid(detail, errors);
    }
}
