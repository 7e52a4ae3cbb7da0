//! Match conditions of webhooks (`matcher.Match` in apiserver's
//! pkg/admission/plugin/webhook/matchconditions/matcher.go).

use std::sync::Arc;

use kindsmith_cel::condition::{Answer, BUDGET, Condition};
use kindsmith_json::Value;
use kindsmith_request::{Status, aggregate};

use crate::configuration::{FailurePolicy, text};
use crate::dispatch::{Invocation, Versioned};
use crate::{Attributes, Host, Webhook, review};

/// One condition.
#[derive(Debug, Clone)]
pub(crate) struct MatchCondition {
    expression: String,
    /// The compiled condition, or the compile error.
    compiled: Result<Arc<Condition>, String>,
}

impl MatchCondition {
    pub(crate) fn read(condition: Value<'_>) -> Self {
        let expression = text(condition, "expression");
        MatchCondition {
            compiled: Condition::compile(expression.trim()).map(Arc::new),
            expression,
        }
    }
}

/// Whether all conditions of a webhook hold. A condition that is false takes precedence over errors in others.
pub(crate) fn hold<'a>(
    host: &dyn Host<'a>,
    webhook: &Webhook,
    attributes: &Attributes<'a>,
    invocation: &Invocation,
    shown: &Versioned<'a>,
) -> Result<bool, Status> {
    if webhook.match_conditions.is_empty() {
        return Ok(true);
    }
    let shown = shown.shown_as(host, &invocation.kind)?;
    let request = review::facts(host.arena(), "", attributes, invocation);
    let (object, old) = (shown.object.unwrap_or_default(), shown.old.unwrap_or_default());
    let mut budget = BUDGET;
    let mut errors = Vec::new();
    for condition in &webhook.match_conditions {
        let answer = match &condition.compiled {
            Ok(compiled) => compiled.eval(object, old, request, &mut budget),
            Err(why) => Answer::Error(why.clone()),
        };
        match answer {
            Answer::True => {}
            Answer::False => return Ok(false),
            Answer::Error(why) => {
                let expression = condition.expression.trim();
                errors.push(format!("expression '{expression}' resulted in error: {why}"));
            }
        }
    }
    match (errors.is_empty(), webhook.failure_policy) {
        (true, _) => Ok(true),
        (false, FailurePolicy::Ignore) => Ok(false),
        (false, FailurePolicy::Fail) => {
            let (group, resource) = (&attributes.resource.group, &attributes.resource.resource);
            let why = aggregate(errors);
            Err(Status::forbidden(group, resource, &attributes.name, &why))
        }
    }
}
