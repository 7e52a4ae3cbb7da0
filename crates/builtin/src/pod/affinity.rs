//! Which nodes and which other pods a pod wants to be with.

use kindsmith_json::Value;
use kindsmith_object::meta::NameRule;

use super::spec::Spec;
use super::topology::check_label_keys;
use crate::field::{Errors, Field};

const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED: &str = "preferredDuringSchedulingIgnoredDuringExecution";

/// Checks the affinity of a pod.
pub(super) fn check_affinity(spec: &Spec<'_, '_>, errors: &mut Errors) {
    let affinity = spec.child("affinity");
    check_node_affinity(&affinity.child("nodeAffinity"), errors);
    for key in ["podAffinity", "podAntiAffinity"] {
        let pods = affinity.child(key);
        for term in pods.child(REQUIRED).items() {
            check_pod_term(&term, errors);
        }
        for weighted in pods.child(PREFERRED).items() {
            check_weight(&weighted, errors);
            check_pod_term(&weighted.child("podAffinityTerm"), errors);
        }
    }
}

fn check_weight(weighted: &Field<'_, '_>, errors: &mut Errors) {
    let weight = Field {
        value: weighted.child("weight").value.or(Some(Value::from(0))),
        path: weighted.path.child("weight"),
    };
    if !(1..=100).contains(&weight.number()) {
        weight.invalid("must be in the range 1-100", errors);
    }
}

fn check_pod_term(term: &Field<'_, '_>, errors: &mut Errors) {
    for key in ["labelSelector", "namespaceSelector"] {
        term.child(key).selector(errors);
    }
    for namespace in term.child("namespaces").items() {
        let shown = namespace.at(term.path.child("namespace"));
        shown.name(NameRule::Label, errors);
    }
    check_label_keys(term, errors);
    let topology = term.child("topologyKey").or_empty();
    if topology.is_empty() {
        topology.required("can not be empty", errors);
    }
    topology.label_key(errors);
}

fn check_node_affinity(affinity: &Field<'_, '_>, errors: &mut Errors) {
    let required = affinity.child(REQUIRED);
    if required.is_set() {
        check_node_selector(&required, errors);
    }
    for weighted in affinity.child(PREFERRED).items() {
        check_weight(&weighted, errors);
        check_node_term(&weighted.child("preference"), LabelValues::Any, errors);
    }
}

/// Whether values that no label can have are refused. Preferences were never that strict.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LabelValues {
    Valid,
    Any,
}

/// Checks a selector of nodes, which must have terms.
pub(crate) fn check_node_selector(selector: &Field<'_, '_>, errors: &mut Errors) {
    let terms = selector.child("nodeSelectorTerms");
    if terms.len() == 0 {
        return terms.required("must have at least one node selector term", errors);
    }
    for term in terms.items() {
        check_node_term(&term, LabelValues::Valid, errors);
    }
}

fn check_node_term(term: &Field<'_, '_>, values: LabelValues, errors: &mut Errors) {
    for expression in term.child("matchExpressions").items() {
        check_expression(&expression, values, errors);
    }
    for expression in term.child("matchFields").items() {
        check_field_expression(&expression, errors);
    }
}

fn check_expression(expression: &Field<'_, '_>, strictness: LabelValues, errors: &mut Errors) {
    let (operator, values) = (
        expression.child("operator").or_empty(),
        expression.child("values"),
    );
    match operator.text() {
        "In" | "NotIn" if values.len() == 0 => {
            values.required("must be specified when `operator` is 'In' or 'NotIn'", errors);
        }
        "Exists" | "DoesNotExist" if values.len() > 0 => {
            let detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
            values.forbidden(detail, errors);
        }
        "Gt" | "Lt" if values.len() != 1 => {
            let detail = "must be specified single value when `operator` is 'Lt' or 'Gt'";
            values.required(detail, errors);
        }
        "In" | "NotIn" | "Exists" | "DoesNotExist" | "Gt" | "Lt" => {}
        _ => operator.invalid("not a valid selector operator", errors),
    }
    expression.child("key").or_empty().label_key(errors);
    if strictness == LabelValues::Valid {
        for value in values.items() {
            value.format("k8s-label-value", errors);
        }
    }
}

/// Fields of nodes can only be compared with one value, and only the name can be compared.
fn check_field_expression(expression: &Field<'_, '_>, errors: &mut Errors) {
    let (operator, values) = (
        expression.child("operator").or_empty(),
        expression.child("values"),
    );
    match operator.text() {
        "In" | "NotIn" if values.len() == 1 => {}
        "In" | "NotIn" => {
            let detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
            values.required(detail, errors);
        }
        _ => operator.invalid("not a valid selector operator", errors),
    }
    let key = expression.child("key").or_empty();
    if key.text() != "metadata.name" {
        return key.invalid("not a valid field selector key", errors);
    }
    for value in values.items() {
        value.name(NameRule::Subdomain, errors);
    }
}
