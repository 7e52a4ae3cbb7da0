//! Requests that a policy or binding is about (`validateMatchResources`).

use std::collections::HashSet;

use kindsmith_object::meta::NameRule;

use super::super::webhook_configuration::validate_rule;
use crate::field::{Errors, Field};
use crate::types::words;

/// Checks a `MatchResources`.
pub(super) fn validate_match_resources(resources: &Field<'_, '_>, errors: &mut Errors) {
    let policy = resources.child("matchPolicy");
    if policy.is_set() {
        policy.one_of(words("admissionregistration/v1.MatchPolicyType"), errors);
    } else {
        policy.required("", errors);
    }
    for key in ["namespaceSelector", "objectSelector"] {
        let selector = resources.child(key);
        if selector.is_set() {
            selector.selector(errors);
        } else {
            selector.required("", errors);
        }
    }
    for key in ["resourceRules", "excludeResourceRules"] {
        for rule in resources.child(key).items() {
            validate_named_rule(&rule, errors);
        }
    }
}

fn validate_named_rule(rule: &Field<'_, '_>, errors: &mut Errors) {
    let mut names = HashSet::new();
    for name in rule.child("resourceNames").items() {
        name.name(NameRule::PathSegment, errors);
        if !names.insert(name.text()) {
            name.duplicate(errors);
        }
    }
    validate_rule(rule.value.unwrap_or_default(), &rule.path, errors);
}

/// Deletions have no object to change.
pub(super) fn only_mutating(resources: &Field<'_, '_>, errors: &mut Errors) {
    let rules = resources.child("resourceRules");
    let reported = rules.child("operations");
    for rule in rules.items() {
        for operation in rule.child("operations").items() {
            let operation = Field {
                path: reported.path,
                ..operation
            };
            operation.one_of(&["*", "CONNECT", "CREATE", "UPDATE"], errors);
        }
    }
}
