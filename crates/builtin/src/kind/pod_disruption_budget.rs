//! Pod disruption budgets: rules that tags do not say (pkg/apis/policy/validation/validation.go).

use kindsmith_object::BadValue;

use super::workload::{validate_amount, validate_counts, validate_share};
use crate::Change;
use crate::field::{Errors, Field};
use crate::rule::{as_json, invalid};

const COUNTS: [&str; 4] = [
    "disruptionsAllowed",
    "currentHealthy",
    "desiredHealthy",
    "expectedPods",
];

/// Checks a budget, or its status alone.
pub(crate) fn validate_disruption_budget(change: &Change<'_>, errors: &mut Errors) {
    if change.subresource == "status" {
        return validate_counts(change, &COUNTS, errors);
    }
    let spec = Field::root(change, "spec");
    let (least, most) = (spec.child("minAvailable"), spec.child("maxUnavailable"));
    if least.is_set() && most.is_set() {
        let detail = "minAvailable and maxUnavailable cannot be both set";
        errors.push(invalid(&spec.path, internal(&spec), detail));
    }
    for amount in [least, most] {
        if amount.is_set() {
            validate_amount(amount.value, &amount.path, errors);
            validate_share(amount.value, &amount.path, errors);
        }
    }
    spec.child("selector").selector(errors);
    let policy = spec.child("unhealthyPodEvictionPolicy");
    if policy.is_set() {
        policy.one_of(&["AlwaysAllow", "IfHealthyBudget"], errors);
    }
}

/// The spec as the server's own type prints it.
fn internal(spec: &Field<'_, '_>) -> BadValue {
    let show = |key: &str| as_json(spec.child(key).value).to_json();
    let text = format!(
        r#"{{"MinAvailable":{},"Selector":{},"MaxUnavailable":{},"UnhealthyPodEvictionPolicy":{}}}"#,
        show("minAvailable"),
        show("selector"),
        show("maxUnavailable"),
        show("unhealthyPodEvictionPolicy")
    );
    BadValue::Json(text.into())
}
