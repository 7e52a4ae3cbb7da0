//! Compiles the rules of a node and reports those that do not compile, cost too much, or use old values where there are
//! none.

use kindsmith_cel::cost::limit;
use kindsmith_cel::validation_rule::{CompileFailure, Purpose};
use kindsmith_json::Path;
use kindsmith_json::path::PathBuf;
use kindsmith_object::{About, BadValue, FieldError};
use kindsmith_openapi::crd::print_rule;
use kindsmith_schema::{JsonSchema, ValidationRule};
use kindsmith_structural::rules::{CompiledRule, RuleScope};

use super::faults::Faults;

/// Rules below this share of the schema's budget are not listed when the budget is exceeded.
const NAMED_FROM: u64 = limit::STATIC_PER_SCHEMA / 100;
const MOST_NAMED: usize = 4;

/// The node that a rule is on.
pub(super) struct Place<'p> {
    pub(super) path: &'p Path<'p>,
    /// The topmost ancestor whose old and new values cannot be correlated.
    pub(super) uncorrelated: Option<&'p Path<'p>>,
    /// Whether the cost limit of single rules is not enforced, because the schema did not change.
    pub(super) suppress_limit: bool,
}

/// The total cost of all rules of a schema.
#[derive(Debug, Default)]
pub(super) struct Costs {
    total: u64,
    most_expensive: Vec<(u64, PathBuf)>,
}

impl Costs {
    fn observe(&mut self, path: &Path<'_>, cost: u64) {
        self.total = self.total.saturating_add(cost);
        if cost < NAMED_FROM {
            return;
        }
        self.most_expensive.push((cost, path.to_owned()));
        self.most_expensive
            .sort_by_key(|(cost, _)| std::cmp::Reverse(*cost));
        self.most_expensive.truncate(MOST_NAMED);
    }

    /// Reports the most expensive rules if the whole schema costs too much.
    pub(super) fn check(self, schema: &Path<'_>, faults: &mut Faults) {
        if self.total <= limit::STATIC_PER_SCHEMA {
            return;
        }
        for (_, path) in self.most_expensive {
            let detail =
                "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
            faults.push(FieldError::forbidden(path, detail).about(About::TotalCost));
        }
        let what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
        let detail = limit::over_budget(what, self.total, limit::STATIC_PER_SCHEMA);
        faults.push(FieldError::forbidden(schema, detail).about(About::TotalCost));
    }
}

/// Compiles and checks the rules of a node.
///
/// Stored and new expressions use the same library: it is the same for the server's version and for its minimum
/// compatibility version.
pub(super) fn check(
    schema: &JsonSchema,
    scope: &RuleScope<'_>,
    place: &Place<'_>,
    costs: &mut Costs,
    faults: &mut Faults,
) {
    let rules_at = place.path.child("x-kubernetes-validations");
    let compiled = match scope.compile() {
        Ok(compiled) => compiled,
        Err(error) => {
            let detail = format!(
                "internal error: failed to construct type information for x-kubernetes-validations rules: {error}"
            );
            faults.internal(&rules_at, &detail);
            return;
        }
    };
    for (index, (rule, compiled)) in schema.validations.iter().zip(&*compiled).enumerate() {
        let at = rules_at.index(index);
        let cost = scope.cost(compiled).unwrap_or(0);
        expression(rule, compiled, cost, &at, place, costs, faults);
        message(rule, compiled, &at, place, costs, faults);
        old_self(rule, compiled, &at, place, faults);
    }
}

fn expression(
    rule: &ValidationRule,
    compiled: &CompiledRule,
    cost: u64,
    at: &Path<'_>,
    place: &Place<'_>,
    costs: &mut Costs,
    faults: &mut Faults,
) {
    let at = at.child("rule");
    if let Some(error) = over_limit("estimated rule cost", cost, &at, place) {
        faults.push(error.about(About::RuleCost));
    }
    costs.observe(&at, cost);
    if let Some(Err(failure)) = &compiled.rule {
        uncompiled(rule, failure, Purpose::Rule, &at, faults);
    }
}

fn message(
    rule: &ValidationRule,
    compiled: &CompiledRule,
    at: &Path<'_>,
    place: &Place<'_>,
    costs: &mut Costs,
    faults: &mut Faults,
) {
    let at = at.child("messageExpression");
    match &compiled.message {
        Some(Err(failure)) => uncompiled(rule, failure, Purpose::Message, &at, faults),
        Some(Ok(_)) => {
            let cost = compiled.message_max_cost();
            faults.extend(over_limit("estimated messageExpression cost", cost, &at, place));
            costs.observe(&at, cost);
        }
        None => {}
    }
}

fn over_limit(what: &str, cost: u64, at: &Path<'_>, place: &Place<'_>) -> Option<FieldError> {
    const LIMIT: u64 = limit::STATIC_PER_EXPRESSION;
    let is_over = !place.suppress_limit && cost > LIMIT;
    is_over.then(|| FieldError::forbidden(at, limit::over_budget(what, cost, LIMIT)))
}

fn uncompiled(
    rule: &ValidationRule,
    failure: &CompileFailure,
    purpose: Purpose,
    at: &Path<'_>,
    faults: &mut Faults,
) {
    if let CompileFailure::Panic(text) = failure {
        faults.crash(text);
        return;
    }
    faults.invalid(
        at,
        BadValue::Json(print_rule(rule).into()),
        &failure.detail(purpose),
    );
}

fn old_self(
    rule: &ValidationRule,
    compiled: &CompiledRule,
    at: &Path<'_>,
    place: &Place<'_>,
    faults: &mut Faults,
) {
    if compiled.uses_old_self {
        if let Some(within) = place.uncorrelated {
            let detail =
                format!("oldSelf cannot be used on the uncorrelatable portion of the schema within {within}");
            faults.invalid(&at.child("rule"), &*rule.rule, &detail);
        }
    } else if let Some(optional) = rule.optional_old_self {
        let detail = "may not be set if oldSelf is not used in rule";
        faults.invalid(&at.child("optionalOldSelf"), BadValue::Bool(optional), detail);
    }
}
