//! Node selectors inside objects (`ValidateNodeSelector` in pkg/apis/core/validation/validation.go).

use kindsmith_object::meta::NameRule;

use crate::field::{Errors, Field};
use crate::part::node_label;

/// Whether values of labels are checked; values that were wrong before an update stay valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LabelValues {
    Checked,
    Any,
}

/// Checks a selector of nodes: one of its terms must match.
pub(crate) fn validate_node_selector(selector: &Field<'_, '_>, values: LabelValues, errors: &mut Errors) {
    let terms = selector.child("nodeSelectorTerms");
    if terms.len() == 0 {
        return terms.required("must have at least one node selector term", errors);
    }
    for term in terms.items() {
        validate_node_term(&term, values, errors);
    }
}

/// Checks one term of a selector.
pub(crate) fn validate_node_term(term: &Field<'_, '_>, values: LabelValues, errors: &mut Errors) {
    for expression in term.child("matchExpressions").items() {
        validate_expression(&expression, values, errors);
    }
    for expression in term.child("matchFields").items() {
        validate_field(&expression, errors);
    }
}

/// Has a selector a label value that is not valid?
pub(crate) fn has_wrong_value(selector: &Field<'_, '_>) -> bool {
    let mut errors = Errors::new();
    for term in selector.child("nodeSelectorTerms").items() {
        for expression in term.child("matchExpressions").items() {
            check_values(&expression, &mut errors);
        }
    }
    !errors.is_empty()
}

/// What is said about labels of a selector that have newer names.
pub(crate) fn node_selector_warnings(selector: &Field<'_, '_>) -> Vec<String> {
    let mut warnings = Vec::new();
    for term in selector.child("nodeSelectorTerms").items() {
        for expression in term.child("matchExpressions").items() {
            let key = expression.child("key");
            if let Some(text) = node_label::deprecation(key.text()) {
                warnings.push(format!("{}: {} is {text}", key.path, key.text()));
            }
        }
    }
    warnings
}

fn validate_expression(expression: &Field<'_, '_>, check: LabelValues, errors: &mut Errors) {
    let (operator, values) = (expression.child("operator"), expression.child("values"));
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
        _ => operator
            .or_empty()
            .invalid("not a valid selector operator", errors),
    }
    expression.child("key").or_empty().label_key(errors);
    if check == LabelValues::Checked {
        check_values(expression, errors);
    }
}

fn check_values(expression: &Field<'_, '_>, errors: &mut Errors) {
    for value in expression.child("values").items() {
        value.format("k8s-label-value", errors);
    }
}

/// The only field of nodes that can be selected is their name.
fn validate_field(expression: &Field<'_, '_>, errors: &mut Errors) {
    let (operator, values) = (expression.child("operator"), expression.child("values"));
    match operator.text() {
        "In" | "NotIn" if values.len() != 1 => {
            let detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
            values.required(detail, errors);
        }
        "In" | "NotIn" => {}
        _ => operator
            .or_empty()
            .invalid("not a valid selector operator", errors),
    }
    let key = expression.child("key");
    if key.text() != "metadata.name" {
        return key.or_empty().invalid("not a valid field selector key", errors);
    }
    for value in values.items() {
        value.name(NameRule::Subdomain, errors);
    }
}
