//! Conditions of webhooks and policies (`matcher.Match` in apiserver's
//! pkg/admission/plugin/webhook/matchconditions/matcher.go).

use std::sync::Arc;

use kindsmith_cel::eval::value::Value as Cel;
use kindsmith_cel::policy::{
    Activation, CONDITIONS_BUDGET, Expression, Given, Purpose, Reads, Scope, Scratch, compile,
};
use kindsmith_json::Value;
use kindsmith_request::{Status, aggregate};

use crate::invocation::{Invocation, Versioned};
use crate::setting::{FailurePolicy, text};
use crate::{Attributes, Host, review};

/// One condition.
#[derive(Debug, Clone)]
pub(crate) struct MatchCondition {
    /// What it compiled to, or why it did not.
    compiled: Result<Arc<Expression>, String>,
}

impl MatchCondition {
    /// Reads and compiles a condition.
    pub(crate) fn read(condition: Value<'_>, scope: &Scope<'_>) -> Self {
        let expression = text(condition, "expression");
        let compiled = compile(expression.trim(), Purpose::Condition, scope);
        MatchCondition {
            compiled: compiled.map(Arc::new).map_err(|error| error.to_string()),
        }
    }

    /// What it reads of the data of a request.
    pub(crate) fn reads(&self) -> Reads {
        self.compiled
            .as_ref()
            .map(|expression| expression.reads())
            .unwrap_or_default()
    }
}

/// What came of conditions.
pub(crate) enum Outcome {
    /// All hold.
    Hold,
    /// One does not hold, which outweighs those that have no answer.
    Fail,
    /// Some have no answer.
    Error(String),
}

/// Asks conditions.
pub(crate) fn ask(conditions: &[MatchCondition], activation: &Activation<'_>) -> Outcome {
    let mut budget = CONDITIONS_BUDGET;
    let mut errors = Vec::new();
    let mut is_false = false;
    let activation = activation.again();
    for condition in conditions {
        let expression = match &condition.compiled {
            Ok(expression) => expression,
            Err(why) => {
                errors.push(format!("compilation error: {why}"));
                continue;
            }
        };
        match expression.eval(&activation, &mut budget) {
            Ok(Ok(Cel::Bool(false))) => is_false = true,
            Ok(Ok(_)) => {}
            Ok(Err(why)) => errors.push(why),
            Err(out) => return Outcome::Error(out.to_string()),
        }
    }
    match errors.is_empty() {
        _ if is_false => Outcome::Fail,
        true => Outcome::Hold,
        false => Outcome::Error(aggregate(errors)),
    }
}

/// Whether all conditions of a webhook hold; its failure policy decides about those that fail.
pub(crate) fn hold<'a>(
    host: &dyn Host<'a>,
    (conditions, failure_policy): (&[MatchCondition], FailurePolicy),
    attributes: &Attributes<'a>,
    invocation: &Invocation,
    shown: &Versioned<'a>,
) -> Result<bool, Status> {
    if conditions.is_empty() {
        return Ok(true);
    }
    let shown = shown.shown_as(host, &invocation.kind)?;
    let reads: Reads = conditions.iter().map(MatchCondition::reads).collect();
    let given = Given {
        object: shown.object.unwrap_or_default(),
        old: shown.old.unwrap_or_default(),
        request: review::read_facts(reads, host.arena(), attributes, invocation),
        ..Given::default()
    };
    let (scratch, resource) = (Scratch::new(), || attributes.access());
    let activation = Activation::new(&scratch, &given, &[]);
    let activation = activation.with_authorizer(host.authorizer(), &resource);
    match (ask(conditions, &activation), failure_policy) {
        (Outcome::Hold, _) => Ok(true),
        (Outcome::Fail, _) | (Outcome::Error(_), FailurePolicy::Ignore) => Ok(false),
        (Outcome::Error(why), FailurePolicy::Fail) => {
            let (group, resource) = (&attributes.resource.group, &attributes.resource.resource);
            Err(Status::forbidden(group, resource, &attributes.name, &why))
        }
    }
}
