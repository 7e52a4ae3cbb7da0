//! Pod disruption budgets: the rules that tags cannot express (pkg/apis/policy/validation/validation.go).

use kindsmith_object::BadValue;

use super::described::Described;
use super::workload::{validate_amount, validate_counts, validate_share};
use crate::Change;
use crate::field::{Errors, Field};
use crate::field_check::invalid;
use crate::go_value::json::as_json;
use crate::part::condition;
use crate::table::{Heading, Row, Table, column};
use crate::types::words;
use kindsmith_json::Value;
use kindsmith_object::meta::NameRule;

pub(crate) const POD_DISRUPTION_BUDGET: Described = Described {
    short_names: &["pdb"],
    allows_unconditional_update: false,
    name_rule: NameRule::PathSegment,
    checks_finalizers: false,
    checks_metadata: false,
    rules: validate_disruption_budget,
    table: Table {
        headings: POD_DISRUPTION_BUDGET_COLUMNS,
        cells: pod_disruption_budget_cells,
    },
    ..Described::STATUS
};

const POD_DISRUPTION_BUDGET_COLUMNS: &[Heading] = &[
    column::NAME,
    column::text("Min Available", "policy/v1.PodDisruptionBudgetSpec.minAvailable"),
    column::text(
        "Max Unavailable",
        "policy/v1.PodDisruptionBudgetSpec.maxUnavailable",
    ),
    column::count(
        "Allowed Disruptions",
        "policy/v1.PodDisruptionBudgetStatus.disruptionsAllowed",
    ),
    column::AGE,
];

const COUNTS: [&str; 4] = [
    "disruptionsAllowed",
    "currentHealthy",
    "desiredHealthy",
    "expectedPods",
];

/// Checks a budget, or its status alone.
pub(crate) fn validate_disruption_budget(change: &Change<'_>, errors: &mut Errors) {
    if change.subresource == "status" {
        condition::validate(&Field::root(change, "status").child("conditions"), errors);
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
        policy.one_of(words("policy/v1.UnhealthyPodEvictionPolicyType"), errors);
    }
}

/// The spec as Go prints the internal type.
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

fn pod_disruption_budget_cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let amount = |path: &str| match row.at(path) {
        Value::Null => Value::Str("N/A"),
        Value::Str(share) => Value::Str(share),
        number => row.cell(&kindsmith_json::to_string(number)),
    };
    vec![
        row.name(),
        amount("spec.minAvailable"),
        amount("spec.maxUnavailable"),
        row.number("status.disruptionsAllowed"),
        row.age(),
    ]
}
