//! Calls: which function is meant, and which of its overloads fit the arguments.

use crate::library::{Function, Overload};
use crate::syntax::ast::{Expr, ExprId, Literal};
use crate::types::Type;

use super::Reference;
use super::infer::{Inference, Member, mismatch};

impl Inference<'_, '_> {
    pub(super) fn infer_call(
        &mut self,
        id: ExprId,
        target: Option<ExprId>,
        name: &str,
        args: &[ExprId],
    ) -> Type {
        if let ("_?._", [operand, field]) = (name, args) {
            return self.infer_optional_selection(id, *operand, *field);
        }
        let mut types: Vec<Type> = args.iter().map(|arg| self.infer(*arg)).collect();
        let qualified = match target {
            None => self.env.function(name),
            Some(target) => self
                .qualified_name(target)
                .and_then(|prefix| self.env.function(&format!("{prefix}.{name}"))),
        };
        if let Some(function) = qualified {
            if target.is_some() || name != function.name {
                let expr = Expr::Call {
                    target: None,
                    function: function.name.into(),
                    args: args.to_vec(),
                };
                self.replace(id, expr);
            }
            return match function.name {
                "_&&_" | "_||_" => self.infer_logic(id, function, args, &types),
                _ => self.choose_overloads(id, function, Form::Function, &types),
            };
        }
        if let Some(target) = target {
            types.insert(0, self.infer(target));
        }
        match self.env.function(name) {
            Some(function) => self.choose_overloads(id, function, Form::Method, &types),
            None => self.undeclared(id, name),
        }
    }

    /// `a.?b`: the field as an optional.
    fn infer_optional_selection(&mut self, id: ExprId, operand: ExprId, field: ExprId) -> Type {
        let Expr::Literal(Literal::String(name)) = self.ast.get(field) else {
            return Type::Error;
        };
        self.assume(field, Type::String);
        let (Member::Plain(ty) | Member::OfOptional(ty)) = self.infer_member(id, operand, name);
        if let Some(function) = self.env.function("_?._") {
            self.refer(id, Reference::Overloads(function.overloads.iter().collect()));
        }
        Type::optional(ty)
    }

    /// `&&` and `||` report each operand that is not a bool.
    fn infer_logic(
        &mut self,
        id: ExprId,
        function: &'static Function,
        args: &[ExprId],
        types: &[Type],
    ) -> Type {
        let mut result = Type::Bool;
        for (arg, ty) in args.iter().zip(types) {
            if !self.unifier.fit(ty, &Type::Bool) {
                result = self.error(*arg, mismatch(&Type::Bool, ty));
            }
        }
        if result == Type::Bool {
            self.refer(id, Reference::Overloads(function.overloads.iter().collect()));
        }
        result
    }

    /// The type of a call: that of all matching overloads, or dyn if their types differ.
    fn choose_overloads(
        &mut self,
        id: ExprId,
        function: &'static Function,
        form: Form,
        args: &[Type],
    ) -> Type {
        let mut fitting = Vec::new();
        let mut result: Option<Type> = None;
        let dialect = self.env.dialect();
        let candidates = function
            .overloads
            .iter()
            .filter(|overload| overload.is_in(dialect));
        for overload in candidates.filter(|overload| overload.member == (form == Form::Method)) {
            let Some(ty) = self.result_type(overload, args) else {
                continue;
            };
            fitting.push(overload);
            result = Some(match result {
                Some(other) if other.is_dyn() || ty.is_exact(&other) => other,
                Some(_) => Type::Dyn,
                None => ty,
            });
        }
        match result {
            Some(ty) => {
                self.refer(id, Reference::Overloads(fitting));
                ty
            }
            None => self.no_overload(id, function.name, form, args),
        }
    }

    /// The result of an overload with these arguments, if they match.
    fn result_type(&mut self, overload: &Overload, args: &[Type]) -> Option<Type> {
        let signature = overload.signature();
        // Messages show the numbers of type variables, so every candidate uses up its own, whether it matches or not.
        let base = self.unifier.fresh(signature.parameters);
        if signature.parameters == 0 {
            return self
                .unifier
                .fit_all(args, &signature.args)
                .then(|| signature.result.clone());
        }
        let (wanted, result) = signature.instantiate(base);
        self.unifier
            .fit_all(args, &wanted)
            .then(|| self.unifier.resolve(&result))
    }

    fn no_overload(&mut self, id: ExprId, name: &str, form: Form, args: &[Type]) -> Type {
        let shown: Vec<String> = args
            .iter()
            .map(|ty| self.unifier.settle(ty).in_errors())
            .collect();
        let applied_to = match (form, &shown[..]) {
            (Form::Method, [target, rest @ ..]) => format!("{target}.({})", rest.join(", ")),
            _ => format!("({})", shown.join(", ")),
        };
        self.error(
            id,
            format!("found no matching overload for '{name}' applied to '{applied_to}'"),
        )
    }
}

/// How a function is called.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// `f(x)`
    Function,
    /// `x.f()`
    Method,
}
