//! Topology spread constraints.

use std::collections::{HashMap, HashSet};

use kindsmith_json::Value;

use super::spec::Spec;
use crate::field::{Errors, Field};
use crate::field_check::{duplicate, entries, invalid_text};
use crate::types::words;

/// Checks the constraints of a pod.
pub(super) fn check_constraints(spec: &Spec<'_, '_>, errors: &mut Errors) {
    let constraints = spec.child("topologySpreadConstraints");
    let keys: Vec<(&str, &str)> = constraints.items().map(|constraint| key(&constraint)).collect();
    for (index, constraint) in constraints.items().enumerate() {
        let skew = constraint.child("maxSkew");
        let skew = Field {
            value: skew.value.or(Some(Value::from(0))),
            ..skew
        };
        check_positive(&skew, errors);
        let topology = constraint.child("topologyKey");
        if topology.is_blank() {
            topology.required("can not be empty", errors);
        }
        let action = constraint.child("whenUnsatisfiable").or_empty();
        action.one_of(words("core/v1.UnsatisfiableConstraintAction"), errors);
        if keys[index + 1..].contains(&keys[index]) {
            let path = constraint.path.child("{topologyKey, whenUnsatisfiable}");
            let (topology, action) = keys[index];
            errors.push(duplicate(&path, &format!("{{{topology}, {action}}}")));
        }
        check_domains(&constraint, action.text(), errors);
        for key in ["nodeAffinityPolicy", "nodeTaintsPolicy"] {
            constraint
                .child(key)
                .optional_word(words("core/v1.NodeInclusionPolicy"), errors);
        }
        check_label_keys(&constraint, errors);
        constraint.child("labelSelector").selector(errors);
    }
}

fn key<'v>(constraint: &Field<'_, 'v>) -> (&'v str, &'v str) {
    let text = |key| constraint.child(key).text();
    (text("topologyKey"), text("whenUnsatisfiable"))
}

fn check_positive(number: &Field<'_, '_>, errors: &mut Errors) {
    if number.number() <= 0 {
        number.invalid("must be greater than zero", errors);
    }
}

fn check_domains(constraint: &Field<'_, '_>, action: &str, errors: &mut Errors) {
    let domains = constraint.child("minDomains");
    if !domains.is_set() {
        return;
    }
    check_positive(&domains, errors);
    if action != "DoNotSchedule" {
        let detail = format!("can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {action}");
        domains.invalid(detail, errors);
    }
}

/// Checks `matchLabelKeys` and `mismatchLabelKeys`. The selector may name such a key once, because it is merged in
/// when the pod is created; a second time is an error.
pub(super) fn check_label_keys(term: &Field<'_, '_>, errors: &mut Errors) {
    let selector = term.child("labelSelector");
    let lists = ["matchLabelKeys", "mismatchLabelKeys"].map(|key| term.child(key));
    for list in &lists {
        if list.len() > 0 && !selector.is_set() {
            list.forbidden("must not be specified when labelSelector is not set", errors);
            continue;
        }
        for key in list.items() {
            key.label_key(errors);
        }
    }
    let [same, other] = lists;
    let places: HashMap<&str, usize> = same
        .items()
        .enumerate()
        .map(|(index, key)| (key.text(), index))
        .collect();
    let mut selected: HashSet<&str> = entries(selector.child("matchLabels").value).keys().collect();
    for expression in selector.child("matchExpressions").items() {
        let key = expression.child("key").text();
        if !selected.insert(key)
            && let Some(index) = places.get(key)
        {
            let detail = "exists in both matchLabelKeys and labelSelector";
            errors.push(invalid_text(&term.path.index(*index), key, detail));
        }
    }
    let others: HashSet<&str> = other.items().map(|key| key.text()).collect();
    for key in same.items().filter(|key| others.contains(key.text())) {
        key.invalid("exists in both matchLabelKeys and mismatchLabelKeys", errors);
    }
}
