//! Tolerations of taints (`ValidateTolerations` in pkg/apis/core/validation/validation.go).

use kindsmith_formats::format;
use kindsmith_object::{BadValue, Behavior};

use crate::field::{Errors, Field};
use crate::field_check::invalid_text;
use crate::go_value::json::as_json;
use crate::types::declared;

/// Checks a list of tolerations.
pub(crate) fn check_tolerations(tolerations: &Field<'_, '_>, errors: &mut Errors) {
    for toleration in tolerations.items() {
        check_toleration(&toleration, errors);
    }
}

fn check_toleration(toleration: &Field<'_, '_>, errors: &mut Errors) {
    let (key, operator, effect) = (
        toleration.child("key"),
        toleration.child("operator").or_empty(),
        toleration.child("effect").or_empty(),
    );
    if !key.text().is_empty() {
        key.label_key(errors);
    } else if operator.text() != "Exists" {
        let detail =
            "operator must be Exists when `key` is empty, which means \"match all values and all keys\"";
        operator.invalid_word(detail, errors);
    }
    if toleration.child("tolerationSeconds").is_set() && effect.text() != "NoExecute" {
        effect.invalid_word(
            "effect must be 'NoExecute' when `tolerationSeconds` is set",
            errors,
        );
    }
    check_value(&toleration.child("value"), &operator, errors);
    if !effect.text().is_empty() {
        effect.one_of(declared("core/v1.TaintEffect"), errors);
    }
}

/// Errors in the value are reported on the operator.
fn check_value(value: &Field<'_, '_>, operator: &Field<'_, '_>, errors: &mut Errors) {
    let text = value.text();
    match operator.text() {
        "Equal" | "" => {
            let mut problems = Vec::new();
            if let Some(format) = format::find("k8s-label-value") {
                (format.check)(text, &mut |violation| problems.push(violation.detail));
            }
            if !problems.is_empty() {
                errors.push(invalid_text(&operator.path, text, problems.join(";")));
            }
        }
        "Exists" if !text.is_empty() => {
            let detail = "value must be empty when `operator` is 'Exists'";
            errors.push(invalid_text(&operator.path, text, detail));
        }
        "Exists" => {}
        // The feature gate of these is off, but Kubernetes lists them as supported anyway.
        "Lt" | "Gt" if operator.release.has(Behavior::NumericTolerationsNamed) => {
            errors.push(crate::field_check::not_supported(
                &operator.path,
                operator.text(),
                declared("core/v1.TolerationOperator"),
            ));
        }
        _ => operator.one_of(&["Equal", "Exists"], errors),
    }
}

/// A toleration as Go prints its internal type.
pub(crate) fn internal(toleration: &Field<'_, '_>) -> BadValue {
    let show = |key: &str| as_json(toleration.child(key).or_empty().value).to_json();
    let seconds = as_json(toleration.child("tolerationSeconds").value).to_json();
    let text = format!(
        r#"{{"Key":{},"Operator":{},"Value":{},"Effect":{},"TolerationSeconds":{seconds}}}"#,
        show("key"),
        show("operator"),
        show("value"),
        show("effect")
    );
    BadValue::Json(text.into())
}
