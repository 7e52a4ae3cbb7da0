//! Finds the type of every node from the types of the nodes below it: one rule per kind of node.
//!
//! The tree itself stays as it is while types are inferred; nodes that turn out to be qualified names are replaced at
//! the end.

use std::sync::Arc;

use crate::syntax::ast::{Ast, Comprehension, Expr, ExprId, Literal};
use crate::syntax::error::Errors;
use crate::syntax::source::{Location, Source};
use crate::types::{Type, Unifier};

use super::{Checked, Env, Reference};

/// Infers the types of a whole tree.
pub(super) fn infer(mut ast: Ast, source: &Source, env: &Env<'_>) -> Result<Checked, Errors> {
    let mut inference = Inference {
        ast: &ast,
        source,
        env,
        errors: Errors::default(),
        types: vec![Type::Error; ast.len()],
        references: vec![None; ast.len()],
        replaced: Vec::new(),
        unifier: Unifier::default(),
        locals: Vec::new(),
    };
    inference.infer(ast.root.unwrap_or(ExprId(0)));
    let Inference {
        errors,
        mut types,
        references,
        replaced,
        unifier,
        ..
    } = inference;
    if !errors.is_empty() {
        return Err(errors);
    }
    for ty in types.iter_mut().filter(|ty| ty.has_variables()) {
        *ty = unifier.settle(ty);
    }
    for (id, expr) in replaced {
        ast.set(id, expr);
    }
    Ok(Checked {
        ast,
        dialect: env.dialect(),
        types,
        references,
    })
}

pub(super) struct Inference<'c, 'e> {
    pub(super) ast: &'c Ast,
    pub(super) source: &'c Source,
    pub(super) env: &'c Env<'e>,
    pub(super) errors: Errors,
    /// The types found so far; the error type for nodes not visited yet.
    types: Vec<Type>,
    references: Vec<Option<Reference>>,
    replaced: Vec<(ExprId, Expr)>,
    pub(super) unifier: Unifier,
    /// The loop variables in scope, the innermost last.
    pub(super) locals: Vec<(Arc<str>, Type)>,
}

impl Inference<'_, '_> {
    /// The type of a node, which may contain type variables.
    pub(super) fn infer(&mut self, id: ExprId) -> Type {
        let ty = match self.ast.get(id) {
            Expr::Unspecified => Type::Error,
            Expr::Literal(literal) => literal_type(literal),
            Expr::Ident(name) => self.infer_name(id, name),
            Expr::Select { operand, field, test } => self.infer_selection(id, *operand, field, *test),
            Expr::Call {
                target,
                function,
                args,
            } => self.infer_call(id, *target, function, args),
            Expr::List { elements, optional } => self.infer_list(elements, optional),
            Expr::Map(entries) => self.infer_map(entries),
            Expr::Struct { name, fields } => self.infer_message(id, name, fields),
            Expr::Comprehension(comprehension) => self.infer_comprehension(comprehension),
        };
        self.types[id.0 as usize] = ty.clone();
        ty
    }

    /// Sets the type of a node whose type follows from its parent.
    pub(super) fn assume(&mut self, id: ExprId, ty: Type) {
        self.types[id.0 as usize] = ty;
    }

    pub(super) fn refer(&mut self, id: ExprId, reference: Reference) {
        self.references[id.0 as usize] = Some(reference);
    }

    pub(super) fn replace(&mut self, id: ExprId, expr: Expr) {
        self.replaced.push((id, expr));
    }

    pub(super) fn location(&self, id: ExprId) -> Location {
        self.source.location(self.ast.offset(id))
    }

    /// Reports an error at a node, whose type is then the error type.
    pub(super) fn error(&mut self, id: ExprId, message: impl Into<String>) -> Type {
        self.errors.report(self.location(id), message);
        Type::Error
    }

    pub(super) fn undeclared(&mut self, id: ExprId, name: &str) -> Type {
        self.error(id, format!("undeclared reference to '{name}' (in container '')"))
    }

    /// Reports an error if a node's type does not fit the wanted one.
    pub(super) fn expect(&mut self, id: ExprId, wanted: &Type, actual: &Type) -> bool {
        let fits = self.unifier.fit(wanted, actual);
        if !fits {
            self.error(id, mismatch(wanted, actual));
        }
        fits
    }

    fn infer_selection(&mut self, id: ExprId, operand: ExprId, field: &str, test: bool) -> Type {
        if !test && let Some(ty) = self.qualified_global(id) {
            return ty;
        }
        match self.infer_member(id, operand, field) {
            _ if test => Type::Bool,
            Member::Plain(ty) => ty,
            Member::OfOptional(ty) => Type::optional(ty),
        }
    }

    /// The type of a field of an operand.
    pub(super) fn infer_member(&mut self, id: ExprId, operand: ExprId, field: &str) -> Member {
        let operand = self.infer(operand);
        let operand = self.unifier.resolve(&operand);
        match operand.unwrap_optional() {
            Some(inner) => Member::OfOptional(self.field_of(id, inner, field)),
            None => Member::Plain(self.field_of(id, &operand, field)),
        }
    }

    fn field_of(&mut self, id: ExprId, of: &Type, field: &str) -> Type {
        match of {
            Type::Map(pair) => return pair[1].clone(),
            Type::Object(name) => return self.field_type(self.location(id), name, field),
            // A value that has fields but no known type is dynamic.
            Type::Var(_) => {
                self.unifier.fit(&Type::Dyn, of);
            }
            _ if of.is_dyn_or_error() => {}
            _ => {
                let text = format!("type '{}' does not support field selection", of.in_errors());
                self.error(id, text);
            }
        }
        Type::Dyn
    }

    /// The declared type of an object's field.
    pub(super) fn field_type(&mut self, at: Location, object: &str, field: &str) -> Type {
        if let Some(ty) = self.env.field(object, field) {
            return ty;
        }
        if self.env.type_named(object).is_some() {
            self.errors.report_unknown_field(at, field);
        } else {
            let text = format!("unexpected failed resolution of '{object}'");
            self.errors.report(at, text);
        }
        Type::Error
    }

    fn infer_comprehension(&mut self, c: &Comprehension) -> Type {
        let range = self.infer(c.range);
        let accumulator = self.infer(c.accu_init);
        let [first, second] = self.loop_variables(c, &range);
        let outer = self.locals.len();
        self.locals.push((c.accu_var.clone(), accumulator.clone()));
        self.locals.push((c.iter_var.clone(), first));
        if let Some(name) = &c.iter_var2 {
            self.locals.push((name.clone(), second));
        }
        let condition = self.infer(c.condition);
        self.expect(c.condition, &Type::Bool, &condition);
        let step = self.infer(c.step);
        self.expect(c.step, &accumulator, &step);
        self.locals.truncate(outer + 1);
        let result = self.infer(c.result);
        self.locals.truncate(outer);
        self.unifier.resolve(&result)
    }

    /// The types of the loop variables over a range; the second is unused by loops with one variable.
    fn loop_variables(&mut self, c: &Comprehension, range: &Type) -> [Type; 2] {
        let range = self.unifier.resolve(range);
        match &range {
            Type::List(element) if c.iter_var2.is_some() => [Type::Int, (**element).clone()],
            Type::List(element) => [(**element).clone(), Type::Error],
            Type::Map(pair) => (**pair).clone(),
            Type::Var(_) | Type::Dyn | Type::Error => {
                self.unifier.fit(&Type::Dyn, &range);
                [Type::Dyn, Type::Dyn]
            }
            _ => {
                let text = format!(
                    "expression of type '{}' cannot be range of a comprehension (must be list, map, or dynamic)",
                    range.in_errors()
                );
                self.error(c.range, text);
                [Type::Error, Type::Error]
            }
        }
    }
}

/// The type of a field, and whether it was selected on an optional.
pub(super) enum Member {
    Plain(Type),
    OfOptional(Type),
}

/// The message for a type that does not match the wanted one.
pub(super) fn mismatch(wanted: &Type, actual: &Type) -> String {
    format!(
        "expected type '{}' but found '{}'",
        wanted.in_errors(),
        actual.in_errors()
    )
}

fn literal_type(literal: &Literal) -> Type {
    match literal {
        Literal::Null => Type::Null,
        Literal::Bool(_) => Type::Bool,
        Literal::Int(_) => Type::Int,
        Literal::Uint(_) => Type::Uint,
        Literal::Double(_) => Type::Double,
        Literal::String(_) => Type::String,
        Literal::Bytes(_) => Type::Bytes,
    }
}
