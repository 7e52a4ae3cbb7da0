//! Compiles validation rules and message expressions against a declaration, as the CRD validator does
//! (`apiextensions-apiserver/pkg/apiserver/schema/cel/compilation.go`).

use std::sync::Arc;

use crate::check::{CheckFailure, Checked, Env, check};
use crate::cost::{self, CostEstimate};
use crate::eval::{PlanError, Program};
use crate::syntax::parse_in;
use crate::syntax::source::Source;
use crate::types::Type;
use crate::types::decl::Declarations;

/// The variable with the value that a rule validates.
pub const SELF: &str = "self";
/// The variable with the previous value.
pub const OLD_SELF: &str = "oldSelf";

/// A compiled expression and its properties.
#[derive(Debug)]
pub struct Compiled {
    /// The program.
    pub program: Arc<Program>,
    /// The type of its result.
    pub ty: Type,
    /// The estimated cost.
    pub cost: CostEstimate,
    /// Whether it refers to `oldSelf`.
    pub uses_old_self: bool,
}

/// Why an expression did not compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompileFailure {
    /// The text of the errors, with snippets.
    Compilation(String),
    /// The checked expression could not be planned.
    Program(PlanError),
    /// Kubernetes' compiler panics on this expression.
    Panic(String),
    /// The result type is not the required one.
    WrongType,
}

/// The purpose of an expression, which decides its type and the wording of its errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A rule: a bool.
    Rule,
    /// A message expression: a string.
    Message,
}

impl CompileFailure {
    /// The detail of the field error.
    pub fn detail(&self, purpose: Purpose) -> String {
        match (self, purpose) {
            (CompileFailure::Compilation(text), Purpose::Rule) => format!("compilation failed: {text}"),
            (CompileFailure::Compilation(text), Purpose::Message) => {
                format!("messageExpression compilation failed: {text}")
            }
            (CompileFailure::Program(text), Purpose::Rule) => format!("program instantiation failed: {text}"),
            (CompileFailure::Program(text), Purpose::Message) => {
                format!("messageExpression instantiation failed: {text}")
            }
            (CompileFailure::WrongType, Purpose::Rule) => "cel expression must evaluate to a bool".to_owned(),
            (CompileFailure::WrongType, Purpose::Message) => {
                "messageExpression must evaluate to a string".to_owned()
            }
            (CompileFailure::Panic(text), _) => text.clone(),
        }
    }
}

/// A checked expression, not yet planned.
#[derive(Debug)]
pub struct CheckedExpression {
    /// The checked tree.
    pub checked: Checked,
    /// The estimated cost.
    pub cost: CostEstimate,
}

/// Parses and checks an expression over `self` and `oldSelf`.
pub fn check_expression(
    text: &str,
    declarations: &Declarations,
    optional_old_self: bool,
) -> Result<CheckedExpression, CompileFailure> {
    let checked = check_text(text, declarations, optional_old_self).map_err(|failure| match failure {
        CheckFailure::Errors(errors) => CompileFailure::Compilation(errors.display(&Source::new(text))),
        CheckFailure::Panic(text) => CompileFailure::Panic(text),
    })?;
    let cost = cost::estimate(&checked, Some(declarations));
    Ok(CheckedExpression { checked, cost })
}

/// Same, for callers who format errors themselves: each comes with its location.
pub fn check_text(
    text: &str,
    declarations: &Declarations,
    optional_old_self: bool,
) -> Result<Checked, CheckFailure> {
    let source = Source::new(text);
    let ast = parse_in(&source, declarations.dialect()).map_err(CheckFailure::Errors)?;
    let ty = declarations.ty();
    let old = if optional_old_self {
        Type::optional(ty.clone())
    } else {
        ty.clone()
    };
    let env = Env::new(Some(declarations)).with(SELF, ty).with(OLD_SELF, old);
    check(ast, &source, &env)
}

/// Compiles an expression of any type over `self` and `oldSelf`.
pub fn compile(
    text: &str,
    declarations: &Declarations,
    optional_old_self: bool,
) -> Result<Compiled, CompileFailure> {
    plan(
        check_expression(text, declarations, optional_old_self)?,
        declarations,
    )
}

/// Compiles a rule or message expression; its purpose decides the required type.
pub fn compile_for(
    purpose: Purpose,
    text: &str,
    declarations: &Declarations,
    optional_old_self: bool,
) -> Result<Compiled, CompileFailure> {
    let expression = check_expression(text, declarations, optional_old_self)?;
    let wanted = match purpose {
        Purpose::Rule => Type::Bool,
        Purpose::Message => Type::String,
    };
    if *expression.checked.result() != wanted {
        return Err(CompileFailure::WrongType);
    }
    plan(expression, declarations)
}

fn plan(expression: CheckedExpression, declarations: &Declarations) -> Result<Compiled, CompileFailure> {
    let CheckedExpression { checked, cost } = expression;
    let program = Program::new(&checked, Some(declarations)).map_err(CompileFailure::Program)?;
    let (ty, uses_old_self) = (checked.result().clone(), checked.uses(OLD_SELF));
    Ok(Compiled {
        program: Arc::new(program),
        ty,
        cost,
        uses_old_self,
    })
}
