//! Expressions of admission: those of policies, and conditions of webhooks (apiserver's pkg/admission/plugin/cel).
//!
//! [`compile`] checks an expression for its [`Purpose`] in a [`Scope`]; [`Expression::eval`] runs it with an
//! [`Activation`] within a budget. Knows no request: objects are data.

mod configuration;
mod json;
mod scope;

use crate::check::{CheckFailure, check};
use crate::cost::limit::PER_CALL;
use crate::eval::value::Value;
use crate::eval::{NAMES, Program};
use crate::syntax::parse;
use crate::syntax::source::Source;
use crate::types::{Type, patch_types};

pub use crate::eval::{Activation, Given, Scratch, Variable};
pub use configuration::{Configuration, Foreign, configuration};
pub use json::{Operation, operations};
pub use scope::{Declared, Scope};

/// The most that all conditions of a webhook or policy may cost (`RuntimeCELCostBudgetMatchConditions`).
pub const CONDITIONS_BUDGET: u64 = 2_500_000;
/// The most that expressions of a policy may cost (`RuntimeCELCostBudget`).
pub const BUDGET: u64 = 10_000_000;

/// What an expression is for, which decides its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A condition or validation: a truth.
    Condition,
    /// The message of a validation: a text.
    Message,
    /// The value of an audit annotation: a text or null.
    Annotation,
    /// A variable: anything.
    Variable,
    /// An apply configuration: an `Object`.
    Configuration,
    /// A JSON patch: a list of `JSONPatch`.
    Patch,
}

impl Purpose {
    fn types(self) -> Vec<Type> {
        match self {
            Purpose::Condition => vec![Type::Bool],
            Purpose::Message => vec![Type::String],
            Purpose::Annotation => vec![Type::String, Type::Null],
            Purpose::Variable => Vec::new(),
            Purpose::Configuration => vec![Type::object(patch_types::OBJECT)],
            Purpose::Patch => vec![Type::list(Type::object(patch_types::JSON_PATCH))],
        }
    }
}

/// Why an expression did not compile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompileError {
    /// It is wrong.
    Invalid(String),
    /// It is right, but cannot be made into a program.
    Internal(String),
}

impl std::fmt::Display for CompileError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (CompileError::Invalid(text) | CompileError::Internal(text)) = self;
        out.write_str(text)
    }
}

/// A compiled expression.
#[derive(Debug)]
pub struct Expression {
    text: String,
    program: Program,
    ty: Type,
}

/// Compiles an expression.
///
/// # Errors
///
/// What is wrong with it, in the words of the reference.
pub fn compile(text: &str, purpose: Purpose, scope: &Scope<'_>) -> Result<Expression, CompileError> {
    let source = Source::new(text);
    let told = |failure| match failure {
        CheckFailure::Errors(errors) => {
            CompileError::Invalid(format!("compilation failed: {}", errors.display(&source)))
        }
        CheckFailure::Panic(text) => CompileError::Internal(text),
    };
    let ast = parse(&source).map_err(|errors| told(CheckFailure::Errors(errors)))?;
    let checked = check(ast, &source, &scope.env(purpose)).map_err(told)?;
    let (ty, wanted) = (checked.result(), purpose.types());
    if !wanted.is_empty() && !wanted.iter().any(|wanted| ty.is_exact(wanted)) {
        let texts: Vec<String> = wanted.iter().map(Type::to_string).collect();
        let wanted = match &texts[..] {
            [only] => only.clone(),
            texts => format!("one of [{}]", texts.join(" ")),
        };
        return Err(CompileError::Invalid(format!(
            "must evaluate to {wanted} but got {ty}"
        )));
    }
    let program = Program::with_variables(&checked, None, &NAMES)
        .map_err(|text| CompileError::Internal(format!("program instantiation failed: {text}")))?;
    Ok(Expression {
        text: text.to_owned(),
        ty: ty.clone(),
        program,
    })
}

/// The expressions of a set together cost too much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfBudget;

impl std::fmt::Display for OutOfBudget {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(
            "validation failed due to running out of cost budget, no further validation rules will be run",
        )
    }
}

impl Expression {
    /// The type of its value.
    #[must_use]
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The program, for a variable.
    #[must_use]
    pub fn into_program(self) -> Program {
        self.program
    }

    /// Evaluates the expression within a budget, which it and the variables it reads lessen.
    ///
    /// # Errors
    ///
    /// If the budget does not suffice. That the expression fails is part of the result.
    pub fn eval<'a>(
        &'a self,
        activation: &'a Activation<'a>,
        budget: &mut u64,
    ) -> Result<Result<Value<'a>, String>, OutOfBudget> {
        let outcome = self.program.eval_in(activation, PER_CALL);
        for cost in [activation.take_spent(), outcome.cost] {
            *budget = budget.checked_sub(cost).ok_or(OutOfBudget)?;
        }
        Ok(match outcome.value {
            Value::Error(why) => Err(format!("expression '{}' resulted in error: {why}", self.text)),
            value => Ok(value),
        })
    }
}
