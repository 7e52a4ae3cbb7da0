//! Calls: those of macros are expanded.

use super::ast::{Expr, ExprId};
use super::build::Builder;
use super::macros;

impl Builder<'_> {
    /// A call of an operator or global function, expanded if it is a macro.
    pub(super) fn global(&mut self, offset: u32, function: &str, args: Vec<ExprId>) -> ExprId {
        if let Some(expanded) = macros::expand(self, offset, function, None, &args) {
            return expanded;
        }
        self.ast.add(
            Expr::Call {
                target: None,
                function: function.into(),
                args,
            },
            offset,
        )
    }

    /// A method call, expanded if it is a macro.
    pub(super) fn method(
        &mut self,
        offset: u32,
        function: &str,
        target: ExprId,
        args: Vec<ExprId>,
    ) -> ExprId {
        if let Some(expanded) = macros::expand(self, offset, function, Some(target), &args) {
            return expanded;
        }
        self.ast.add(
            Expr::Call {
                target: Some(target),
                function: function.into(),
                args,
            },
            offset,
        )
    }
}
