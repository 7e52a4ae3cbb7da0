//! The calls of one place as statements: cohorts and short circuits.

use kindsmith_checks::{Call, cohorts};

use super::super::text::{Code, deeper};
use super::{At, Writer};

/// A call that was written.
struct Step<'c> {
    call: &'c Call,
    expression: String,
}

/// Whether errors of short circuits are marked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Marks {
    Set,
    Unset,
}

impl Writer<'_> {
    /// Statements that add to `errs`, and return from the function if the unnamed cohort fails.
    pub(super) fn program(&mut self, calls: &[Call], at: &At, code: &mut Code) {
        for (number, cohort) in cohorts(calls).into_iter().enumerate() {
            let steps = self.steps(&cohort, at, Marks::Set);
            if number == 0 || !steps.iter().any(|step| step.call.short_circuit) {
                statements(&steps, code);
                continue;
            }
            // A short circuit here stops nothing outside.
            let errors = self.error_list();
            let mut inner = Code::default();
            statements(&steps, &mut inner);
            inner.line("return errs");
            code.line(&format!(
                "errs = append(errs, func() (errs {errors}) {{\n{}\n}}()...)",
                deeper(&inner.finish())
            ));
        }
    }

    /// Like `program`, for calls in their given order.
    pub(super) fn in_order(&mut self, calls: &[Call], at: &At, code: &mut Code) {
        let calls: Vec<&Call> = calls.iter().collect();
        let steps = self.steps(&calls, at, Marks::Unset);
        statements(&steps, code);
    }

    fn steps<'c>(&mut self, calls: &[&'c Call], at: &At, marks: Marks) -> Vec<Step<'c>> {
        let mut steps = Vec::new();
        for call in calls {
            // A call that neither reports nor stops anything need not run.
            if call.non_error && !call.short_circuit {
                continue;
            }
            let Some(mut expression) = self.leveled(call, at) else {
                continue;
            };
            if marks == Marks::Set && call.short_circuit && !call.non_error {
                expression += ".MarkShortCircuit()";
            }
            steps.push(Step { call, expression });
        }
        steps
    }
}

/// Short circuits do not stop each other: their failures take effect after the last one.
fn statements(steps: &[Step<'_>], code: &mut Code) {
    let last = steps.iter().rposition(|step| step.call.short_circuit);
    let count = steps.iter().filter(|step| step.call.short_circuit).count();
    if count > 1 {
        code.line("stop := false");
    }
    for (index, Step { call, expression }) in steps.iter().enumerate() {
        if !call.short_circuit {
            code.line(&format!("errs = append(errs, {expression}...)"));
            continue;
        }
        if call.non_error {
            code.open(&format!("if len({expression}) != 0 {{"));
        } else {
            code.open(&format!("if e := {expression}; len(e) != 0 {{"));
        }
        match (count, call.non_error) {
            (1, true) => code.line("return errs"),
            (1, false) => code.line("return append(errs, e...)"),
            (_, true) => code.line("stop = true"),
            (_, false) => code.line("errs, stop = append(errs, e...), true"),
        }
        code.close("}");
        if count > 1 && last == Some(index) {
            code.open("if stop {");
            code.line("return errs");
            code.close("}");
        }
    }
}
