//! What names mean: loop variables, names of the environment, qualified names.

use std::sync::Arc;

use crate::syntax::ast::{Ast, Expr, ExprId};
use crate::types::Type;

use super::Reference;
use super::env::without_dot;
use super::infer::Inference;

impl Inference<'_, '_> {
    /// Resolves a name: the innermost loop variable, or else a name of the environment. A leading dot skips loop
    /// variables.
    pub(super) fn infer_name(&mut self, id: ExprId, name: &Arc<str>) -> Type {
        if let Some((local, ty)) = self.local(name).cloned() {
            self.refer(id, Reference::Local(local));
            return ty;
        }
        self.global(id, name).unwrap_or_else(|| self.undeclared(id, name))
    }

    /// The type of a chain of selections that is a single name of the environment.
    pub(super) fn qualified_global(&mut self, id: ExprId) -> Option<Type> {
        let start = first_name(self.ast, id)?;
        if self.local(start).is_some() {
            return None;
        }
        let name = self.qualified_name(id)?;
        self.global(id, &name)
    }

    /// The text of a chain of selections, `a.b.c`, if it may be one name. A chain that starts with a variable is one only
    /// if another variable's name starts so too.
    pub(super) fn qualified_name(&self, id: ExprId) -> Option<String> {
        let start = first_name(self.ast, id)?;
        let root = without_dot(start);
        if self.env.is_variable(root) && !self.env.is_prefix(root) {
            return None;
        }
        let mut fields = Vec::new();
        let mut at = id;
        while let Expr::Select { operand, field, .. } = self.ast.get(at) {
            fields.push(&**field);
            at = *operand;
        }
        fields.push(start);
        fields.reverse();
        Some(fields.join("."))
    }

    fn local(&self, name: &str) -> Option<&(Arc<str>, Type)> {
        self.locals.iter().rev().find(|(local, _)| &**local == name)
    }

    fn global(&mut self, id: ExprId, name: &str) -> Option<Type> {
        let name = without_dot(name);
        let (ty, reference) = self.env.global(name)?;
        self.refer(id, reference);
        self.replace(id, Expr::Ident(name.into()));
        Some(ty)
    }
}

/// The name at the start of a chain of selections.
fn first_name(ast: &Ast, mut id: ExprId) -> Option<&str> {
    loop {
        match ast.get(id) {
            Expr::Ident(name) => return Some(name),
            Expr::Select {
                operand, test: false, ..
            } => id = *operand,
            _ => return None,
        }
    }
}
