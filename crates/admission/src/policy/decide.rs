//! Evaluates one policy for one request with one set of parameters (`validator.Validate` in apiserver's
//! pkg/admission/plugin/policy/validating/validator.go).

use kindsmith_cel::eval::value::Value as Cel;
use kindsmith_cel::policy::{Activation, BUDGET, Expression, OutOfBudget};

use super::definition::{Compiled, ValidatingPolicy, Validation};
use crate::match_condition::{self, Outcome};
use crate::setting::FailurePolicy;

/// The maximum length of a message expression's result, in bytes.
const LONGEST_MESSAGE: usize = 5 * 1024;

/// A reason to reject a request.
#[derive(Debug, Clone)]
pub(super) struct Denial {
    /// The index of the validation.
    pub(super) index: usize,
    pub(super) message: String,
    /// The machine-readable reason; `None` for evaluation errors.
    pub(super) reason: Option<String>,
}

/// The decision of a policy.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    pub(super) denials: Vec<Denial>,
    /// Annotations for the audit event.
    pub(super) annotations: Vec<(String, String)>,
    /// Errors of annotation expressions.
    pub(super) failed_annotations: Vec<String>,
    /// Failures that the policy lets pass.
    pub(super) ignored: Vec<String>,
}

/// The activations of a policy's sets of expressions.
pub(super) struct Activations<'a> {
    /// Without the namespace, for conditions.
    pub(super) conditions: Activation<'a>,
    /// With the authorizer.
    pub(super) validations: Activation<'a>,
    /// Without the authorizer.
    pub(super) rest: Activation<'a>,
}

/// Evaluates a policy.
pub(super) fn decide(policy: &ValidatingPolicy, activations: &Activations<'_>) -> Verdict {
    let failure = |message: String| match policy.definition.failure_policy {
        FailurePolicy::Ignore => Verdict {
            ignored: vec![message],
            ..Verdict::default()
        },
        FailurePolicy::Fail => Verdict {
            denials: vec![Denial {
                index: 0,
                message,
                reason: None,
            }],
            ..Verdict::default()
        },
    };
    match match_condition::ask(&policy.definition.conditions, &activations.conditions) {
        Outcome::Hold => {}
        Outcome::Fail => return Verdict::default(),
        Outcome::Error(why) => return failure(why),
    }
    let mut verdict = Verdict::default();
    match judge(policy, activations) {
        Ok((denials, ignored)) => (verdict.denials, verdict.ignored) = (denials, ignored),
        Err(out) => return failure(out.to_string()),
    }
    match annotate(policy, &activations.rest, &mut verdict) {
        Ok(()) => verdict,
        Err(out) => failure(out.to_string()),
    }
}

/// The validations that failed, and errors that the failure policy ignores.
fn judge(
    policy: &ValidatingPolicy,
    activations: &Activations<'_>,
) -> Result<(Vec<Denial>, Vec<String>), OutOfBudget> {
    let mut budget = BUDGET;
    let validations = activations.validations.again();
    let mut results = Vec::with_capacity(policy.validations.len());
    for validation in &policy.validations {
        results.push(match &validation.expression {
            Ok(expression) => expression
                .eval(&validations, &mut budget)?
                .map(|value| matches!(value, Cel::Bool(true))),
            Err(why) => Err(format!("compilation error: {why}")),
        });
    }
    let messages = messages(policy, &activations.rest, budget);
    let (mut denials, mut ignored) = (Vec::new(), Vec::new());
    for (index, (validation, result)) in policy.validations.iter().zip(results).enumerate() {
        let failure = match (result, &messages) {
            (Err(why), _) => why,
            (Ok(_), Err(out)) => format!("failed messageExpression: {out}"),
            (Ok(true), Ok(_)) => continue,
            (Ok(false), Ok(messages)) => {
                denials.push(Denial {
                    index,
                    message: message(validation, messages[index].as_deref()),
                    reason: Some(validation.reason.clone().unwrap_or_else(|| "Invalid".to_owned())),
                });
                continue;
            }
        };
        match policy.definition.failure_policy {
            FailurePolicy::Ignore => ignored.push(failure),
            FailurePolicy::Fail => denials.push(Denial {
                index,
                message: failure,
                reason: None,
            }),
        }
    }
    Ok((denials, ignored))
}

/// The results of message expressions; errors are ignored.
fn messages(
    policy: &ValidatingPolicy,
    activation: &Activation<'_>,
    mut budget: u64,
) -> Result<Vec<Option<String>>, OutOfBudget> {
    let activation = activation.again();
    let mut messages = Vec::with_capacity(policy.validations.len());
    for validation in &policy.validations {
        let expression: Option<&Expression> = match &validation.message_expression {
            Some(Ok(expression)) => Some(expression),
            Some(Err(_)) | None => None,
        };
        messages.push(match expression {
            Some(expression) => match expression.eval(&activation, &mut budget)? {
                Ok(Cel::String(text)) => Some(text.to_owned()),
                Ok(_) | Err(_) => None,
            },
            None => None,
        });
    }
    Ok(messages)
}

/// The message of a failed validation.
fn message(validation: &Validation, made: Option<&str>) -> String {
    let made = made.map(str::trim);
    let usable =
        made.filter(|text| !text.is_empty() && text.len() <= LONGEST_MESSAGE && !text.contains('\n'));
    match (usable, validation.message.trim()) {
        (Some(text), _) => text.to_owned(),
        (None, "") => format!("failed expression: {}", validation.text.trim()),
        (None, text) => text.to_owned(),
    }
}

fn annotate(
    policy: &ValidatingPolicy,
    activation: &Activation<'_>,
    verdict: &mut Verdict,
) -> Result<(), OutOfBudget> {
    let mut budget = BUDGET;
    let activation = activation.again();
    for annotation in &policy.annotations {
        let result = value(&annotation.expression, &activation, &mut budget)?;
        match result {
            Ok(text) if text.is_empty() => {}
            Ok(text) => verdict.annotations.push((annotation.key.clone(), text)),
            // An annotation that fails is not counted where failures are ignored.
            Err(why) if policy.definition.failure_policy == FailurePolicy::Fail => {
                verdict.failed_annotations.push(why);
            }
            Err(_) => {}
        }
    }
    Ok(())
}

/// The value of an annotation; empty for null.
fn value<'a>(
    expression: &'a Compiled,
    activation: &'a Activation<'a>,
    budget: &mut u64,
) -> Result<Result<String, String>, OutOfBudget> {
    let expression = match expression {
        Ok(expression) => expression,
        Err(why) => return Ok(Err(format!("compilation error: {why}"))),
    };
    Ok(match expression.eval(activation, budget)? {
        Ok(Cel::String(text)) => Ok(text.trim().to_owned()),
        Ok(Cel::Null) => Ok(String::new()),
        Ok(other) => Err(format!(
            "valueExpression '{}' resulted in unsupported return type: {}. Return type must be either string or null.",
            expression.text(),
            other.type_name()
        )),
        Err(why) => Err(why),
    })
}
