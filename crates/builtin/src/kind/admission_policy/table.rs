//! Tables of admission policies and their bindings.

use kindsmith_json::{Object, Value};

use crate::table::{Row, Table, column, text_of};

pub(crate) const VALIDATING_POLICY: Table = Table {
    headings: &[
        column::NAME,
        column::count(
            "Validations",
            "admissionregistration/v1.ValidatingAdmissionPolicySpec.validations",
        ),
        column::text(
            "ParamKind",
            "admissionregistration/v1.ValidatingAdmissionPolicySpec.paramKind",
        ),
        column::AGE,
    ],
    cells: |row| policy_cells(row, "spec.validations"),
};

pub(crate) const MUTATING_POLICY: Table = Table {
    headings: &[
        column::NAME,
        column::count(
            "Mutations",
            "admissionregistration/v1.MutatingAdmissionPolicySpec.mutations",
        ),
        column::text(
            "ParamKind",
            "admissionregistration/v1.MutatingAdmissionPolicySpec.paramKind",
        ),
        column::AGE,
    ],
    cells: |row| policy_cells(row, "spec.mutations"),
};

pub(crate) const VALIDATING_BINDING: Table = Table {
    headings: &[
        column::NAME,
        column::text(
            "PolicyName",
            "admissionregistration/v1.ValidatingAdmissionPolicyBindingSpec.policyName",
        ),
        column::text(
            "ParamRef",
            "admissionregistration/v1.ValidatingAdmissionPolicyBindingSpec.paramRef",
        ),
        column::AGE,
    ],
    cells: binding_cells,
};

pub(crate) const MUTATING_BINDING: Table = Table {
    headings: &[
        column::NAME,
        column::text(
            "PolicyName",
            "admissionregistration/v1.MutatingAdmissionPolicyBindingSpec.policyName",
        ),
        column::text(
            "ParamRef",
            "admissionregistration/v1.MutatingAdmissionPolicyBindingSpec.paramRef",
        ),
        column::AGE,
    ],
    cells: binding_cells,
};

fn policy_cells<'a>(row: &Row<'a>, rules: &str) -> Vec<Value<'a>> {
    let param_kind = match row.at("spec.paramKind") {
        Value::Null => Value::Str("<unset>"),
        kind => row.cell(&format!(
            "{}/{}",
            text_of(kind, "apiVersion"),
            text_of(kind, "kind")
        )),
    };
    vec![row.name(), Value::Int(row.count(rules)), param_kind, row.age()]
}

fn binding_cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let reference = row.at("spec.paramRef");
    let selector = reference.get("selector").filter(|selector| !selector.is_null());
    let param = match (text_of(reference, "name"), selector) {
        ("", None) => Value::Str("<unset>"),
        ("", Some(selector)) => row.cell(&selector_text(selector)),
        // Whether parameters have a namespace is not known here.
        (name, _) => match text_of(reference, "namespace") {
            "" => row.cell(&format!("*/{name}")),
            namespace => row.cell(&format!("{namespace}/{name}")),
        },
    };
    let policy = Value::Str(row.text("spec.policyName"));
    vec![row.name(), policy, param, row.age()]
}

/// A selector as Go prints the message.
fn selector_text(selector: Value<'_>) -> String {
    let labels = selector.get("matchLabels").and_then(Value::as_object);
    let labels = labels.map(Object::sorted).unwrap_or_default();
    let labels: String = labels
        .iter()
        .map(|entry| format!("{}: {},", entry.key, entry.value.as_str().unwrap_or_default()))
        .collect();
    let expressions = selector.get("matchExpressions").and_then(Value::as_array);
    let expressions: String = expressions
        .unwrap_or_default()
        .iter()
        .map(|expression| {
            let values = expression.get("values").and_then(Value::as_array);
            let values: Vec<&str> = values
                .unwrap_or_default()
                .iter()
                .filter_map(|value| value.as_str())
                .collect();
            format!(
                "LabelSelectorRequirement{{Key:{},Operator:{},Values:[{}],}},",
                text_of(*expression, "key"),
                text_of(*expression, "operator"),
                values.join(" ")
            )
        })
        .collect();
    format!(
        "&LabelSelector{{MatchLabels:map[string]string{{{labels}}},MatchExpressions:[]LabelSelectorRequirement{{{expressions}}},}}"
    )
}
