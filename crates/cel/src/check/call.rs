//! Calls: optional selection, qualified functions, methods, and the choice of overloads.

use crate::library::{Function, Overload};
use crate::syntax::ast::{Expr, ExprId, Literal};
use crate::types::{Type, most_general};

use super::{Checker, Reference, qualified_name};

impl Checker<'_, '_> {
    pub(super) fn check_call(&mut self, id: ExprId, target: Option<ExprId>, function: &str, args: &[ExprId]) {
        if function == "_?._" {
            self.check_optional_select(id, args);
            return;
        }
        for arg in args {
            self.check(*arg);
        }
        let Some(target) = target else {
            match self.env.function(function) {
                Some(found) => self.resolve_global_call(id, found, args),
                None => self.undeclared(id, function),
            }
            return;
        };
        if let Some(prefix) = qualified_name(&self.ast, target)
            && let Some(found) = self.env.function(&format!("{prefix}.{function}"))
        {
            self.resolve_global_call(id, found, args);
            return;
        }
        self.check(target);
        match self.env.function(function) {
            Some(found) => self.resolve(id, found, Some(target), args),
            None => self.undeclared(id, function),
        }
    }

    fn resolve_global_call(&mut self, id: ExprId, found: &'static Function, args: &[ExprId]) {
        self.ast.set(
            id,
            Expr::Call {
                target: None,
                function: found.name.into(),
                args: args.to_vec(),
            },
        );
        self.resolve(id, found, None, args);
    }

    fn check_optional_select(&mut self, id: ExprId, args: &[ExprId]) {
        let Expr::Literal(Literal::String(field)) = self.ast.get(args[1]).clone() else {
            self.set(id, Type::Error);
            return;
        };
        self.set(args[1], Type::String);
        let ty = self.select_type(id, args[0], &field, true);
        let ty = self.mapping.substitute(&ty, false);
        self.set(id, ty);
        if let Some(function) = self.env.function("_?._") {
            self.refer(id, Reference::Overloads(function.overloads.iter().collect()));
        }
    }

    fn resolve(&mut self, id: ExprId, function: &'static Function, target: Option<ExprId>, args: &[ExprId]) {
        let arg_types: Vec<Type> = target.iter().chain(args).map(|arg| self.ty(*arg)).collect();
        if matches!(function.name, "_&&_" | "_||_") {
            self.resolve_logic(id, function, args, &arg_types);
            return;
        }
        let (mut chosen, mut result): (Vec<&'static Overload>, Option<Type>) = (Vec::new(), None);
        for overload in function
            .overloads
            .iter()
            .filter(|overload| overload.member == target.is_some())
        {
            let signature = overload.signature();
            let (wanted, overload_result) = signature.instantiate(self.next_var);
            self.next_var += signature.parameters;
            if !self.mapping.all_assignable(&arg_types, &wanted) {
                continue;
            }
            chosen.push(overload);
            let overload_result = self.mapping.substitute(&overload_result, false);
            result = Some(match result {
                None => overload_result,
                Some(so_far) if !so_far.is_dyn() && !overload_result.is_exact(&so_far) => Type::Dyn,
                Some(so_far) => so_far,
            });
        }
        match result {
            Some(ty) => {
                self.set(id, ty);
                self.refer(id, Reference::Overloads(chosen));
            }
            None => self.no_overload(id, function.name, &arg_types, target.is_some()),
        }
    }

    fn resolve_logic(
        &mut self,
        id: ExprId,
        function: &'static Function,
        args: &[ExprId],
        arg_types: &[Type],
    ) {
        let mut failed = false;
        for (arg, ty) in args.iter().zip(arg_types) {
            if !self.mapping.assignable(ty, &Type::Bool) {
                self.mismatch(*arg, &Type::Bool, ty);
                failed = true;
            }
        }
        self.set(id, if failed { Type::Error } else { Type::Bool });
        if !failed {
            self.refer(id, Reference::Overloads(function.overloads.iter().collect()));
        }
    }

    fn no_overload(&mut self, id: ExprId, name: &str, arg_types: &[Type], method: bool) {
        let shown: Vec<String> = arg_types
            .iter()
            .map(|ty| self.mapping.substitute(ty, true).in_errors())
            .collect();
        let signature = match (method, shown.split_first()) {
            (true, Some((target, rest))) => format!("{target}.({})", rest.join(", ")),
            _ => format!("({})", shown.join(", ")),
        };
        self.set(id, Type::Error);
        self.error(
            id,
            format!("found no matching overload for '{name}' applied to '{signature}'"),
        );
    }

    /// The type of two elements of one aggregate: dyn if they differ, which the validators then refuse.
    pub(super) fn join(&mut self, previous: Option<Type>, current: Type) -> Type {
        let Some(previous) = previous else { return current };
        if self.mapping.assignable(&previous, &current) {
            return most_general(&previous, &current);
        }
        Type::Dyn
    }
}
