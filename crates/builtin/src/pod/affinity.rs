//! Node affinity, pod affinity and pod anti-affinity.

use kindsmith_json::Value;
use kindsmith_object::meta::NameRule;

use super::spec::Spec;
use super::topology::check_label_keys;
use crate::field::{Errors, Field};
use crate::part::node_selector::{LabelValues, validate_node_selector, validate_node_term};

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
        release: weighted.release,
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
    if topology.is_blank() {
        topology.required("can not be empty", errors);
    }
    topology.label_key(errors);
}

fn check_node_affinity(affinity: &Field<'_, '_>, errors: &mut Errors) {
    let required = affinity.child(REQUIRED);
    if required.is_set() {
        validate_node_selector(&required, LabelValues::Checked, errors);
    }
    for weighted in affinity.child(PREFERRED).items() {
        check_weight(&weighted, errors);
        // Preferred terms may name invalid label values.
        validate_node_term(&weighted.child("preference"), LabelValues::Any, errors);
    }
}
