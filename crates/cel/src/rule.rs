//! Compiling validation rules and message expressions against a declaration, as the CRD validator does
//! (`apiextensions-apiserver/pkg/apiserver/schema/cel/compilation.go`).

use crate::check::{CheckFailure, Checked, Env, check};
use crate::cost::{self, CostEstimate};
use crate::eval::Program;
use crate::syntax::parse;
use crate::syntax::source::Source;
use crate::types::Type;
use crate::types::decl::Declarations;

/// The variable that holds the value a rule is about.
pub const SELF: &str = "self";
/// The variable that holds the previous value.
pub const OLD_SELF: &str = "oldSelf";

/// A compiled expression with what is known about it.
#[derive(Debug)]
pub struct Compiled {
    /// The program.
    pub program: Program,
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
    /// The checked expression could not be made into a program.
    Program(String),
    /// The reference's compiler crashes on this expression.
    Panic(String),
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
    let source = Source::new(text);
    let ast = parse(&source).map_err(|errors| CompileFailure::Compilation(errors.display(&source)))?;
    let ty = declarations.root.ty.clone().unwrap_or(Type::Dyn);
    let old = if optional_old_self {
        Type::optional(ty.clone())
    } else {
        ty.clone()
    };
    let env = Env::new(Some(declarations)).with(SELF, ty).with(OLD_SELF, old);
    let checked = check(ast, &source, &env).map_err(|failure| match failure {
        CheckFailure::Errors(errors) => CompileFailure::Compilation(errors.display(&source)),
        CheckFailure::Panic(text) => CompileFailure::Panic(text),
    })?;
    let cost = cost::estimate(&checked, Some(declarations));
    Ok(CheckedExpression { checked, cost })
}

/// Compiles an expression over `self` and `oldSelf`.
pub fn compile(
    text: &str,
    declarations: &Declarations,
    optional_old_self: bool,
) -> Result<Compiled, CompileFailure> {
    let CheckedExpression { checked, cost } = check_expression(text, declarations, optional_old_self)?;
    let program = Program::new(&checked, Some(declarations)).map_err(CompileFailure::Program)?;
    Ok(Compiled {
        program,
        ty: checked.result().clone(),
        cost,
        uses_old_self: checked.uses(OLD_SELF),
    })
}
