//! The rules of one node, compiled.
//!
//! Follows `compileRule` (apiextensions-apiserver/pkg/apiserver/schema/cel/compilation.go): what fails, and
//! what is still available for a failed rule.

use std::sync::Arc;

use kindsmith_cel::eval::Program;
use kindsmith_cel::types::Type;
use kindsmith_cel::types::decl::Declarations;
use kindsmith_cel::validation_rule::{
    CheckedExpression, CompileFailure, Compiled, OLD_SELF, check_expression,
};
use kindsmith_schema::{JsonSchema, ValidationRule};

use super::field_path::{self, Brackets};

/// A compiled rule of `x-kubernetes-validations`, or its errors.
#[derive(Debug)]
pub struct CompiledRule {
    /// The rule itself; `None` if its text is blank.
    pub rule: Option<Result<Compiled, CompileFailure>>,
    /// Whether the rule refers to `oldSelf`; false if it does not compile.
    pub uses_old_self: bool,
    /// The message expression, if there is one and the rule compiles.
    pub message: Option<Result<Compiled, CompileFailure>>,
    /// `fieldPath` as errors print it, if it leads to a field.
    pub field_path: Option<Box<str>>,
}

impl CompiledRule {
    /// The largest estimated cost of one evaluation of the rule; 0 if it did not compile.
    #[must_use]
    pub fn max_cost(&self) -> u64 {
        max_cost(self.rule.as_ref())
    }

    /// The largest estimated cost of one evaluation of the message expression; 0 if there is none.
    #[must_use]
    pub fn message_max_cost(&self) -> u64 {
        max_cost(self.message.as_ref())
    }
}

fn max_cost(compiled: Option<&Result<Compiled, CompileFailure>>) -> u64 {
    compiled
        .and_then(|compiled| compiled.as_ref().ok())
        .map_or(0, |compiled| compiled.cost.max)
}

/// Compiles one rule of a node.
#[must_use]
pub fn compile_rule(rule: &ValidationRule, schema: &JsonSchema, declarations: &Declarations) -> CompiledRule {
    let mut compiled = CompiledRule {
        rule: None,
        uses_old_self: false,
        message: None,
        field_path: None,
    };
    if rule.rule.trim().is_empty() {
        return compiled;
    }
    let optional = rule.optional_old_self == Some(true);
    let program = match checked(&rule.rule, &Type::Bool, declarations, optional) {
        Ok(expression) => {
            compiled.uses_old_self = expression.checked.uses(OLD_SELF);
            plan(expression, declarations)
        }
        Err(failure) => Err(failure),
    };
    let failed = program.is_err();
    compiled.rule = Some(program);
    if failed {
        return compiled;
    }
    if !rule.message_expression.is_empty() {
        let message = checked(&rule.message_expression, &Type::String, declarations, optional)
            .and_then(|expression| plan(expression, declarations));
        let failed = message.is_err();
        compiled.message = Some(message);
        if failed {
            return compiled;
        }
    }
    if !rule.field_path.is_empty() {
        let found = field_path::resolve(&rule.field_path, schema, Brackets::Allowed);
        compiled.field_path = found.ok().map(|found| found.path.to_string().into());
    }
    compiled
}

fn checked(
    text: &str,
    wanted: &Type,
    declarations: &Declarations,
    optional_old_self: bool,
) -> Result<CheckedExpression, CompileFailure> {
    let expression = check_expression(text, declarations, optional_old_self)?;
    if expression.checked.result() == wanted {
        Ok(expression)
    } else {
        Err(CompileFailure::WrongType)
    }
}

fn plan(expression: CheckedExpression, declarations: &Declarations) -> Result<Compiled, CompileFailure> {
    let CheckedExpression { checked, cost } = expression;
    let program = Program::new(&checked, Some(declarations)).map_err(CompileFailure::Program)?;
    Ok(Compiled {
        program: Arc::new(program),
        ty: checked.result().clone(),
        cost,
        uses_old_self: checked.uses(OLD_SELF),
    })
}
