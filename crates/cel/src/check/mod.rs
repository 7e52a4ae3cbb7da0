//! The type checker: types for all nodes and overloads for all calls, or errors.
//!
//! Three steps: `infer` finds types bottom up, the unifier settles the type variables that are left, and `validate`
//! checks literals. Knows the declared types and the library's signatures; runs nothing.

mod aggregate;
mod env;
mod infer;
mod name;
mod overload;
mod validate;
mod validate_format;

use std::sync::Arc;

use crate::dialect::Dialect;
use crate::library::Overload;
use crate::syntax::ast::{Ast, ExprId};
use crate::syntax::error::Errors;
use crate::syntax::source::Source;
use crate::types::Type;

pub use env::{Env, is_runtime_type};

/// The meaning of a name or call.
#[derive(Clone, Debug)]
pub enum Reference {
    /// A variable of the innermost loop that declares it.
    Local(Arc<str>),
    /// A variable of the environment.
    Global(Arc<str>),
    /// A type.
    TypeName(Arc<str>),
    /// A protobuf enum value.
    Enum(i64),
    /// The overloads that match a call.
    Overloads(Vec<&'static Overload>),
}

/// A checked expression.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The tree, with qualified names and functions resolved.
    pub ast: Ast,
    /// The dialect it was checked in, which decides what it costs.
    pub(crate) dialect: Dialect,
    types: Vec<Type>,
    references: Vec<Option<Reference>>,
}

impl Checked {
    /// The type of a node.
    pub fn ty(&self, id: ExprId) -> &Type {
        &self.types[id.0 as usize]
    }

    /// The meaning of a name or call.
    pub fn reference(&self, id: ExprId) -> Option<&Reference> {
        self.references[id.0 as usize].as_ref()
    }

    /// The overloads that match a call.
    pub(crate) fn overloads(&self, id: ExprId) -> &[&'static Overload] {
        match self.reference(id) {
            Some(Reference::Overloads(overloads)) => overloads,
            _ => &[],
        }
    }

    /// The node of the whole expression.
    pub fn root(&self) -> ExprId {
        self.ast.root.unwrap_or(ExprId(0))
    }

    /// The type of the whole expression.
    pub fn result(&self) -> &Type {
        self.ty(self.root())
    }

    /// Whether the expression uses a variable of the environment.
    pub fn uses(&self, variable: &str) -> bool {
        self.references.iter().flatten().any(|reference| match reference {
            // Kubernetes compares names only, so a loop variable with this name counts too.
            Reference::Global(name) | Reference::Local(name) => &**name == variable,
            _ => false,
        })
    }
}

/// Why an expression did not check.
#[derive(Debug)]
pub enum CheckFailure {
    /// The errors to show.
    Errors(Errors),
    /// Kubernetes panics on this expression, with this message.
    Panic(String),
}

/// Checks a tree against an environment, then validates its literals.
pub fn check(ast: Ast, source: &Source, env: &Env<'_>) -> Result<Checked, CheckFailure> {
    let checked = infer::infer(ast, source, env).map_err(CheckFailure::Errors)?;
    let errors = validate::validate(&checked, source).map_err(CheckFailure::Panic)?;
    if errors.is_empty() {
        Ok(checked)
    } else {
        Err(CheckFailure::Errors(errors))
    }
}
