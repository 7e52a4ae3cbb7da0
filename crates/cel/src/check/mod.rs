//! The type checker (cel-go `checker/checker.go`): types for all nodes, overloads for all calls, or errors.
//!
//! Knows the declared types and the library's signatures; runs nothing.

mod call;
mod env;
mod literal;
mod validate;
mod validate_format;

use std::sync::Arc;

use crate::library::Overload;
use crate::syntax::ast::{Ast, Expr, ExprId, Literal};
use crate::syntax::error::Errors;
use crate::syntax::source::{Location, Source};
use crate::types::{Kind, Mapping, Type};

pub use env::{Env, is_runtime_type};

/// What a name or call was resolved to.
#[derive(Clone, Debug)]
pub enum Reference {
    /// A variable of the innermost loop that declares it.
    Local(Arc<str>),
    /// A variable of the environment.
    Global(Arc<str>),
    /// A type by its name.
    TypeName(Arc<str>),
    /// A protobuf enum value.
    Enum(i64),
    /// The overloads a call may mean.
    Overloads(Vec<&'static Overload>),
}

/// A checked expression.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The tree, with qualified names and functions resolved.
    pub ast: Ast,
    types: Vec<Type>,
    references: Vec<Option<Reference>>,
}

impl Checked {
    /// The type of a node.
    pub fn ty(&self, id: ExprId) -> &Type {
        &self.types[id.0 as usize]
    }

    /// What a name or call means.
    pub fn reference(&self, id: ExprId) -> Option<&Reference> {
        self.references[id.0 as usize].as_ref()
    }

    /// The overloads of a call.
    pub fn overloads(&self, id: ExprId) -> &[&'static Overload] {
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

    /// Whether the expression refers to a variable of the environment.
    pub fn uses(&self, variable: &str) -> bool {
        self.references.iter().flatten().any(|reference| match reference {
            // The reference looks at names only, so a loop variable of that name counts.
            Reference::Global(name) | Reference::Local(name) => &**name == variable,
            _ => false,
        })
    }
}

/// Why an expression did not check.
#[derive(Debug)]
pub enum CheckFailure {
    /// Errors to show.
    Errors(Errors),
    /// The reference crashes here; the text of its panic.
    Panic(String),
}

/// Checks a tree against an environment, then runs the validators of literals.
pub fn check(ast: Ast, source: &Source, env: &Env<'_>) -> Result<Checked, CheckFailure> {
    let size = ast.len();
    let root = ast.root.unwrap_or(ExprId(0));
    let mut checker = Checker {
        ast,
        source,
        env,
        errors: Errors::default(),
        types: vec![None; size],
        references: vec![None; size],
        mapping: Mapping::default(),
        next_var: 0,
        locals: Vec::new(),
    };
    checker.check(root);
    if !checker.errors.is_empty() {
        return Err(CheckFailure::Errors(checker.errors));
    }
    let types = checker
        .types
        .iter()
        .map(|ty| {
            ty.as_ref()
                .map_or(Type::Error, |ty| checker.mapping.substitute(ty, true))
        })
        .collect();
    let checked = Checked {
        ast: checker.ast,
        types,
        references: checker.references,
    };
    let mut errors = Errors::default();
    validate::run(&checked, source, &mut errors).map_err(CheckFailure::Panic)?;
    if errors.is_empty() {
        Ok(checked)
    } else {
        Err(CheckFailure::Errors(errors))
    }
}

struct Checker<'c, 'e> {
    ast: Ast,
    source: &'c Source,
    env: &'c Env<'e>,
    errors: Errors,
    types: Vec<Option<Type>>,
    references: Vec<Option<Reference>>,
    mapping: Mapping,
    next_var: u32,
    locals: Vec<(Arc<str>, Type)>,
}

impl Checker<'_, '_> {
    fn location(&self, id: ExprId) -> Location {
        self.source.location(self.ast.offset(id))
    }

    fn error(&mut self, id: ExprId, message: String) {
        let location = self.location(id);
        self.errors.report(location, message);
    }

    fn mismatch(&mut self, id: ExprId, expected: &Type, actual: &Type) {
        let text = format!(
            "expected type '{}' but found '{}'",
            expected.in_errors(),
            actual.in_errors()
        );
        self.error(id, text);
    }

    fn undeclared(&mut self, id: ExprId, name: &str) {
        self.set(id, Type::Error);
        self.error(id, format!("undeclared reference to '{name}' (in container '')"));
    }

    fn set(&mut self, id: ExprId, ty: Type) {
        self.types[id.0 as usize] = Some(ty);
    }

    fn ty(&self, id: ExprId) -> Type {
        self.types[id.0 as usize].clone().unwrap_or(Type::Error)
    }

    fn resolved(&self, id: ExprId) -> Type {
        self.mapping.substitute(&self.ty(id), false)
    }

    fn refer(&mut self, id: ExprId, reference: Reference) {
        self.references[id.0 as usize] = Some(reference);
    }

    fn fresh(&mut self) -> Type {
        self.next_var += 1;
        Type::Var(self.next_var - 1)
    }

    fn check(&mut self, id: ExprId) {
        match self.ast.get(id).clone() {
            Expr::Unspecified => self.set(id, Type::Error),
            Expr::Literal(literal) => self.set(id, literal_type(&literal)),
            Expr::Ident(name) => self.check_ident(id, &name),
            Expr::Select { operand, field, test } => self.check_select(id, operand, &field, test),
            Expr::Call {
                target,
                function,
                args,
            } => self.check_call(id, target, &function, &args),
            Expr::List { elements, optional } => self.check_list(id, &elements, &optional),
            Expr::Map(entries) => self.check_map(id, &entries),
            Expr::Struct { name, fields } => self.check_struct(id, &name, &fields),
            Expr::Comprehension(c) => self.check_comprehension(id, &c),
        }
    }

    fn local(&self, name: &str) -> Option<&(Arc<str>, Type)> {
        let name = name.strip_prefix('.').unwrap_or(name);
        self.locals.iter().rev().find(|(local, _)| &**local == name)
    }

    fn check_ident(&mut self, id: ExprId, name: &str) {
        if let Some((local, ty)) = self.local(name).filter(|_| !name.starts_with('.')).cloned() {
            self.set(id, ty);
            self.refer(id, Reference::Local(local));
            return;
        }
        if !self.resolve_global(id, name) {
            self.undeclared(id, name);
        }
    }

    /// Resolves a name of the environment: a variable, a type or an enum value.
    fn resolve_global(&mut self, id: ExprId, name: &str) -> bool {
        let name = name.strip_prefix('.').unwrap_or(name);
        let Some((ty, reference)) = self.env.global(name) else {
            return false;
        };
        self.set(id, ty);
        self.refer(id, reference);
        self.ast.set(id, Expr::Ident(name.into()));
        true
    }

    fn check_select(&mut self, id: ExprId, operand: ExprId, field: &str, test: bool) {
        if !test && let Some(path) = qualified_name(&self.ast, id) {
            let root = path.split('.').find(|part| !part.is_empty()).unwrap_or_default();
            let hidden = !path.starts_with('.') && self.local(root).is_some();
            if !hidden && self.resolve_global(id, &path) {
                return;
            }
        }
        let mut ty = self.select_type(id, operand, field, false);
        if test {
            ty = Type::Bool;
        }
        let ty = self.mapping.substitute(&ty, false);
        self.set(id, ty);
    }

    fn select_type(&mut self, id: ExprId, operand: ExprId, field: &str, optional: bool) -> Type {
        self.check(operand);
        let operand_type = self.resolved(operand);
        let unwrapped = operand_type.unwrap_optional();
        let target = unwrapped.unwrap_or(&operand_type);
        let result = match target {
            Type::Map(pair) => pair.1.clone(),
            Type::Object(name) => self
                .field_type(self.ast.offset(id), name, field)
                .unwrap_or(Type::Error),
            Type::Var(_) => {
                self.mapping.assignable(&Type::Dyn, target);
                Type::Dyn
            }
            _ => {
                if !target.is_dyn_or_error() {
                    self.error(
                        id,
                        format!("type '{}' does not support field selection", target.in_errors()),
                    );
                }
                Type::Dyn
            }
        };
        if unwrapped.is_some() || optional {
            Type::optional(result)
        } else {
            result
        }
    }

    fn field_type(&mut self, offset: u32, object: &str, field: &str) -> Option<Type> {
        let location = self.source.location(offset);
        if !self.env.has_object(object) {
            self.errors
                .report(location, format!("unexpected failed resolution of '{object}'"));
            return None;
        }
        let found = self.env.field(object, field);
        if found.is_none() {
            self.errors.report(location, format!("undefined field '{field}'"));
        }
        found
    }

    fn check_comprehension(&mut self, id: ExprId, c: &crate::syntax::ast::Comprehension) {
        self.check(c.range);
        self.check(c.accu_init);
        let range = self.resolved(c.range);
        let accu = self.ty(c.accu_init);
        let two = c.iter_var2.is_some();
        let (first, second) = match &range {
            Type::List(element) if two => (Type::Int, (**element).clone()),
            Type::List(element) => ((**element).clone(), Type::Error),
            Type::Map(pair) => (pair.0.clone(), pair.1.clone()),
            _ if range.kind() == Kind::Var || range.is_dyn_or_error() && range != Type::Any => {
                self.mapping.assignable(&Type::Dyn, &range);
                (Type::Dyn, Type::Dyn)
            }
            _ => {
                let text = format!(
                    "expression of type '{}' cannot be range of a comprehension (must be list, map, or dynamic)",
                    range.in_errors()
                );
                self.error(c.range, text);
                (Type::Error, Type::Error)
            }
        };
        let outer = self.locals.len();
        self.locals.push((c.accu_var.clone(), accu.clone()));
        self.locals.push((c.iter_var.clone(), first));
        if let Some(name) = &c.iter_var2 {
            self.locals.push((name.clone(), second));
        }
        self.check(c.condition);
        self.assert_type(c.condition, &Type::Bool);
        self.check(c.step);
        self.assert_type(c.step, &accu);
        self.locals.truncate(outer + 1);
        self.check(c.result);
        self.locals.truncate(outer);
        let result = self.resolved(c.result);
        self.set(id, result);
    }

    fn assert_type(&mut self, id: ExprId, wanted: &Type) {
        let actual = self.ty(id);
        if !self.mapping.assignable(wanted, &actual) {
            self.mismatch(id, wanted, &actual);
        }
    }
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

/// `a.b.c` for a chain of selections on a name.
pub fn qualified_name(ast: &Ast, id: ExprId) -> Option<String> {
    match ast.get(id) {
        Expr::Ident(name) => Some(name.to_string()),
        Expr::Select {
            operand,
            field,
            test: false,
        } => Some(format!("{}.{field}", qualified_name(ast, *operand)?)),
        _ => None,
    }
}
