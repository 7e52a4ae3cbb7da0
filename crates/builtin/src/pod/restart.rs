//! Restart policies of containers: after they exit, and when their resources change.

use std::collections::HashSet;

use kindsmith_object::{BadValue, Behavior, Detail, ErrorKind, FieldError, Gate, Release};

use crate::field::{Errors, Field};
use crate::field_check::{duplicate, invalid_text, not_supported};
use crate::types::words;

const NO_POLICY: &str = "must specify restartPolicy when restart rules are used";
const RULES: usize = 20;
const EXIT_CODES: usize = 255;

/// Checks an init container's restart policy. Restart rules are only checked if it has one.
pub(super) fn check_policy_before(container: &Field<'_, '_>, errors: &mut Errors) {
    let policy = container.child("restartPolicy");
    let rules = container.child("restartPolicyRules");
    let is_sidecar = policy.text() == "Always";
    if !container.release.enables(Gate::ContainerRestartRules) {
        if policy.is_set() && !is_sidecar {
            policy.or_empty().one_of(&["Always"], errors);
        }
        return;
    }
    if is_sidecar && rules.len() > 0 && !container.release.has(Behavior::RestartRulesOfSidecars) {
        let detail = "restartPolicyRules are not allowed for init containers with restart policy Always";
        return rules.forbidden(detail, errors);
    }
    if policy.is_set() {
        check_policy(container, errors);
    } else if container.child("restartPolicyRules").len() > 0 {
        policy.required(NO_POLICY, errors);
    }
}

/// Checks a container's restart policy and its restart rules.
pub(super) fn check_policy(container: &Field<'_, '_>, errors: &mut Errors) {
    let (policy, rules) = (
        container.child("restartPolicy"),
        container.child("restartPolicyRules"),
    );
    if !policy.is_set() && rules.len() > 0 {
        policy.required(NO_POLICY, errors);
    }
    policy.optional_word(words("core/v1.ContainerRestartPolicy"), errors);
    check_number(&rules, RULES, errors);
    for rule in rules.items() {
        rule.child("action")
            .or_empty()
            .one_of(actions(container.release), errors);
        let codes = rule.child("exitCodes");
        if codes.is_set() {
            codes
                .child("operator")
                .or_empty()
                .one_of(words("core/v1.ContainerRestartRuleOnExitCodesOperator"), errors);
            check_number(&codes.child("values"), EXIT_CODES, errors);
        } else {
            codes.required("must be specified", errors);
        }
    }
}

fn actions(release: Release) -> &'static [&'static str] {
    if release.enables(Gate::RestartAllContainersOnContainerExits) {
        words("core/v1.ContainerRestartRuleAction")
    } else {
        &["Restart"]
    }
}

fn check_number(list: &Field<'_, '_>, most: usize, errors: &mut Errors) {
    if list.len() > most && !list.release.has(Behavior::RestartRulesCounted) {
        errors.push(FieldError::too_long(list.path.to_owned(), most));
    } else if list.len() > most {
        errors.push(FieldError::new(
            ErrorKind::TooMany,
            list.path.to_owned(),
            BadValue::Integer(list.len() as i128),
            Detail::AtMostItems(most as i64),
        ));
    }
}

/// Checks the resize policy of a container. Errors are reported on the list, without an index.
pub(super) fn check_resizing(policies: &Field<'_, '_>, pod_restart: &str, errors: &mut Errors) {
    let mut seen = HashSet::new();
    for policy in policies.items() {
        let (resource, action) = (
            policy.child("resourceName").text(),
            policy.child("restartPolicy").text(),
        );
        if !seen.insert(resource) {
            errors.push(duplicate(&policy.path, resource));
        }
        for (word, known) in [
            (resource, &["cpu", "memory"][..]),
            (action, words("core/v1.ResourceResizeRestartPolicy")),
        ] {
            if word.is_empty() {
                policies.required("", errors);
            } else if !known.contains(&word) {
                errors.push(not_supported(&policies.path, word, known));
            }
        }
        if pod_restart == "Never" && action != "NotRequired" {
            let detail = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
            errors.push(invalid_text(&policies.path, action, detail));
        }
    }
}

/// An init container that runs once cannot be restarted for a resize.
pub(super) fn check_resizing_before(policies: &Field<'_, '_>, errors: &mut Errors) {
    if !policies
        .release
        .enables(Gate::InPlacePodVerticalScalingInitContainers)
    {
        return;
    }
    for policy in policies.items() {
        let action = policy.child("restartPolicy");
        if action.text() == "RestartContainer" {
            let detail = "must not be set to 'RestartContainer' for non-sidecar initContainers";
            action.invalid(detail, errors);
        }
    }
}
