//! Evaluates an expression on an object, for people and scripts: value, type and cost.

use kindsmith_cel::cost::limit::{STATIC_PER_EXPRESSION, over_budget};
use kindsmith_cel::eval::value::Value as Cel;
use kindsmith_cel::validation_rule::CheckedExpression;
use kindsmith_json::{Arena, Value};
use kindsmith_source::SourceMap;
use kindsmith_source::render::{Report, Style};
use kindsmith_structural::rules::Occurrence;

use super::expression::{Expression, diagnostics, readable};
use super::form::{self, Members};
use crate::Outcome;
use kindsmith::cel::Subject;

/// What expressions are evaluated on.
#[derive(Debug)]
pub(super) struct Trial<'t> {
    pub(super) subject: &'t Subject,
    pub(super) new: Option<Value<'t>>,
    pub(super) old: Option<Value<'t>>,
    pub(super) optional_old: bool,
}

/// The result for one value.
struct Evaluated {
    /// The path of the value; `None` without an object.
    at: Option<String>,
    text: String,
    is_error: bool,
    cost: Option<u64>,
}

impl Trial<'_> {
    /// Value, type and cost of an expression, or its errors.
    pub(super) fn text(&self, text: &str, style: Style) -> (String, Outcome) {
        let expression = Expression::compile(text, self.subject, self.optional_old);
        let (Some(_), Ok(checked)) = (expression.program(), &expression.checked) else {
            return (self.mistakes(text, style), Outcome::Findings);
        };
        let evaluated = self.each(&expression, |value, scratch, cost, at| Evaluated {
            at,
            is_error: matches!(value, Cel::Error(_)),
            text: form::text(value, scratch),
            cost: Some(cost),
        });
        let several = self.subject.is_repeated();
        let mut out = String::new();
        for one in &evaluated {
            match &one.at {
                Some(at) if several => out.push_str(&format!("{at}: {}\n", one.text)),
                _ => out.push_str(&format!("{}\n", one.text)),
            }
        }
        if evaluated.is_empty() {
            out.push_str("the object has no such value\n");
        }
        out.push_str(&format!("type            {}\n", ty(checked)));
        out.push_str(&self.cost(text, &expression));
        let costs: Vec<String> = evaluated
            .iter()
            .filter_map(|one| one.cost)
            .map(|cost| cost.to_string())
            .collect();
        if !costs.is_empty() {
            out.push_str(&format!("run-time cost   {}\n", costs.join(", ")));
        }
        let failed = evaluated.iter().any(|one| one.is_error);
        (out, if failed { Outcome::Findings } else { Outcome::Clean })
    }

    /// The line about the estimated cost.
    pub(super) fn cost(&self, text: &str, expression: &Expression) -> String {
        let Ok(checked) = &expression.checked else {
            return self.mistakes(text, Style::default());
        };
        let (cost, used) = (checked.cost, self.subject.cardinality_used);
        let total = cost.max.saturating_mul(used);
        let mut line = format!("estimated cost  {} to {}", cost.min, amount(cost.max));
        if used != 1 {
            line.push_str(&format!(", times {used} values is {}", amount(total)));
        }
        if total > STATIC_PER_EXPRESSION {
            let text = over_budget("estimated rule cost", total, STATIC_PER_EXPRESSION);
            line.push_str(&format!("\n                too much for a rule: {text}"));
        }
        line.push('\n');
        line
    }

    /// The type of an expression, or its errors.
    pub(super) fn ty(&self, text: &str, style: Style) -> (String, Outcome) {
        let expression = Expression::compile(text, self.subject, self.optional_old);
        match &expression.checked {
            Ok(checked) => (ty(checked) + "\n", Outcome::Clean),
            Err(_) => (self.mistakes(text, style), Outcome::Findings),
        }
    }

    fn mistakes(&self, text: &str, style: Style) -> String {
        let mut sources = SourceMap::default();
        let diagnostics = diagnostics(text, self.subject, self.optional_old, &mut sources);
        Report::new(&sources, &diagnostics).text(style)
    }

    /// Value, type and cost as one JSON document.
    pub(super) fn json(&self, text: &str) -> (String, Outcome) {
        let arena = Arena::new();
        let expression = Expression::compile(text, self.subject, self.optional_old);
        let mut out = Members::new(&arena);
        out.text("expression", text);
        let Ok(checked) = &expression.checked else {
            let mut sources = SourceMap::default();
            let found = diagnostics(text, self.subject, self.optional_old, &mut sources);
            let errors: Vec<Value<'_>> = found
                .iter()
                .map(|mistake| {
                    let position = sources.position(mistake.span);
                    let mut error = Members::new(&arena);
                    error.number("line", position.line.into());
                    error.number("column", position.column.into());
                    error.text("message", &mistake.message);
                    error.finish()
                })
                .collect();
            out.put("errors", form::list(&arena, &errors));
            return (
                kindsmith_json::to_string_pretty(out.finish()) + "\n",
                Outcome::Findings,
            );
        };
        out.text("type", &ty(checked));
        let mut cost = Members::new(&arena);
        cost.number("min", checked.cost.min);
        cost.number("max", checked.cost.max);
        cost.number("times", self.subject.cardinality_used);
        out.put("estimatedCost", cost.finish());
        if let Some(Err(failure)) = &expression.program {
            out.text("error", &failure.to_string());
        }
        let mut failed = false;
        let evaluated = self.each(&expression, |value, scratch, cost, at| {
            let mut one = Members::new(&arena);
            if let Some(at) = at {
                one.text("at", &at);
            }
            match value {
                Cel::Error(message) => {
                    failed = true;
                    one.text("error", message);
                }
                value => one.put("value", form::json(&arena, value, scratch)),
            }
            one.number("runtimeCost", cost);
            one.finish()
        });
        out.put("evaluations", form::list(&arena, &evaluated));
        let outcome = if failed { Outcome::Findings } else { Outcome::Clean };
        (kindsmith_json::to_string_pretty(out.finish()) + "\n", outcome)
    }

    /// Runs the expression on every value at the path, or once if there is no object.
    fn each<R>(
        &self,
        expression: &Expression,
        mut read: impl FnMut(Cel<'_>, &kindsmith_cel::eval::Scratch, u64, Option<String>) -> R,
    ) -> Vec<R> {
        let Some(program) = expression.program() else {
            return Vec::new();
        };
        let Some(new) = self.new else {
            let run = self
                .subject
                .run(program, None, None, self.optional_old, |value, scratch, cost| {
                    read(value, scratch, cost, None)
                });
            return vec![run];
        };
        let values: Vec<Occurrence<'_>> = self.subject.occurrences(new, self.old);
        values
            .iter()
            .map(|at| {
                let path = at.path.to_string();
                self.subject.run(
                    program,
                    Some(&at.new),
                    at.old.as_ref(),
                    self.optional_old,
                    |value, scratch, cost| read(value, scratch, cost, Some(path)),
                )
            })
            .collect()
    }
}

fn ty(checked: &CheckedExpression) -> String {
    readable(&checked.checked.result().to_string())
}

/// Prints a cost; the largest number means that a size is unknown.
fn amount(cost: u64) -> String {
    match cost {
        u64::MAX => "no bound".to_owned(),
        cost => cost.to_string(),
    }
}
