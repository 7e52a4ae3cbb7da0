//! What expressions mean.

use std::rc::Rc;

use kindsmith_go::constant::Value as Constant;
use kindsmith_go::package::Imported;

use super::super::syntax::{Expr, Stmt, body};
use super::super::value::{Closure, Step, Val};
use super::Walker;

impl Walker<'_, '_> {
    pub(super) fn eval(&mut self, expr: &Expr) -> Val {
        if self.spent() {
            return Val::Unknown;
        }
        match expr {
            Expr::Text(text) => Val::Text(text.clone()),
            Expr::Int(value) => Val::Int(*value),
            Expr::Name(name) => self.named(name),
            Expr::Unary("*" | "&", inner) => self.eval(inner),
            Expr::Unary("-", inner) => match self.eval(inner) {
                Val::Int(value) => Val::Int(-value),
                _ => Val::Unknown,
            },
            Expr::Select(of, name) => self.select(of, name),
            Expr::Index(of, _) => match self.eval(of) {
                Val::New(place) => Val::New(place.then(Step::Item)),
                Val::Old(place) => Val::Old(place.then(Step::Item)),
                _ => Val::Unknown,
            },
            Expr::Literal(items) => self.literal(items),
            Expr::Func { params, body } => Val::Closure(Rc::new(Closure {
                params: params.clone(),
                body: body.clone(),
                source: (self.here, self.file),
            })),
            Expr::Call { callee, args, at } => self.call(callee, args, *at),
            Expr::Binary("==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||", ..) | Expr::Unary("!", _) => {
                Val::Holds(self.condition(expr))
            }
            Expr::Binary("+" | "-" | "*", left, right) => {
                let Expr::Binary(operator, ..) = expr else {
                    return Val::Unknown;
                };
                match (self.eval(left), self.eval(right)) {
                    (Val::Int(left), Val::Int(right)) => match *operator {
                        "+" => Val::Int(left.saturating_add(right)),
                        "-" => Val::Int(left.saturating_sub(right)),
                        _ => Val::Int(left.saturating_mul(right)),
                    },
                    (Val::Text(left), Val::Text(right)) if *operator == "+" => Val::Text(left + &right),
                    _ => Val::Unknown,
                }
            }
            Expr::Binary(..) | Expr::Unary(..) | Expr::Other => Val::Unknown,
        }
    }

    pub(super) fn literal(&mut self, items: &[Expr]) -> Val {
        let values: Vec<Val> = items.iter().map(|item| self.eval(item)).collect();
        let mut errors = Vec::new();
        let mut texts = Vec::new();
        for val in &values {
            match val {
                Val::Errors(some) => errors.extend(some.iter().cloned()),
                Val::Text(text) => texts.push(text.clone()),
                _ => {}
            }
        }
        if values.is_empty() || !errors.is_empty() {
            return Val::Errors(errors);
        }
        if texts.len() == values.len() {
            Val::Texts(texts)
        } else {
            Val::Unknown
        }
    }

    pub(super) fn named(&mut self, name: &str) -> Val {
        if let Some((val, _)) = self.env.get(name) {
            return val.clone();
        }
        match name {
            "nil" => return Val::Nil,
            "true" | "false" => return Val::Unknown,
            _ => {}
        }
        if self.packages[self.here].functions.contains_key(name) {
            return Val::Func(self.here, name.to_owned());
        }
        let package = self.packages[self.here].package.clone();
        if let Some(constant) = self.constants.named(self.loader, &package, name) {
            return constant_value(constant.value);
        }
        self.variable(name)
    }

    /// A variable of the package that holds a set or list of texts.
    pub(super) fn variable(&mut self, name: &str) -> Val {
        let package = self.packages[self.here].package.clone();
        for (index, file) in package.files.iter().enumerate() {
            for var in &file.vars {
                if file.text(var.name) != name {
                    continue;
                }
                let Some(span) = var.value else {
                    return Val::Unknown;
                };
                const FRONT: &str = "{ return ";
                let text = format!("{FRONT}{} }}", file.text(span));
                let start = span.start as usize;
                let line = file.source()[..start].matches('\n').count() + 1;
                let statements = body(
                    &text,
                    u32::try_from(line).unwrap_or_default(),
                    start.saturating_sub(FRONT.len()),
                );
                if let Some(Stmt::Return(values, _)) = statements.first()
                    && let [only] = &values[..]
                {
                    let before = std::mem::replace(&mut self.file, index);
                    let made = self.eval(only);
                    self.file = before;
                    return match made {
                        Val::Texts(texts) => Val::Texts(texts),
                        Val::Text(text) => Val::Text(text),
                        Val::Int(value) => Val::Int(value),
                        Val::Library(path, name) => Val::Library(path, name),
                        Val::Func(package, name) => Val::Func(package, name),
                        Val::Closure(closure) => Val::Closure(closure),
                        _ => Val::Unknown,
                    };
                }
            }
        }
        Val::Unknown
    }

    pub(super) fn select(&mut self, of: &Expr, name: &str) -> Val {
        if let Expr::Name(qualifier) = of
            && !self.env.contains_key(qualifier)
        {
            return self.qualified(qualifier, name);
        }
        match self.eval(of) {
            Val::New(place) => Val::New(place.then(Step::Field(name.to_owned()))),
            Val::Old(place) => Val::Old(place.then(Step::Field(name.to_owned()))),
            Val::Options => Val::Switch(name.to_owned()),
            _ => Val::Unknown,
        }
    }

    /// A name of another package: a constant, if anything.
    pub(super) fn qualified(&mut self, qualifier: &str, name: &str) -> Val {
        let package = self.packages[self.here].package.clone();
        let Some(file) = package.files.get(self.file) else {
            return Val::Unknown;
        };
        let Some(Imported::Package(other)) = self.loader.import_named(&package, file, qualifier) else {
            return Val::Unknown;
        };
        match self.constants.named(self.loader, &other, name) {
            Some(constant) => constant_value(constant.value),
            None => match self.function_of(qualifier, name) {
                Some(package) => Val::Func(package, name.to_owned()),
                None => Val::Library(other.path.to_string(), name.to_owned()),
            },
        }
    }

    /// The package with a helper that is walked in its place: one of this module, which takes no objects.
    pub(super) fn function_of(&mut self, qualifier: &str, name: &str) -> Option<usize> {
        let package = self.packages[self.here].package.clone();
        let file = package.files.get(self.file)?;
        let Some(Imported::Package(other)) = self.loader.import_named(&package, file, qualifier) else {
            return None;
        };
        if module_root(&other.path) != module_root(&package.path) {
            return None;
        }
        let index = self.with_package(&other)?;
        let found = self.packages[index].functions.get(name)?;
        (found.has_errors && found.is_plain).then_some(index)
    }
}

fn constant_value(value: Constant) -> Val {
    match value {
        Constant::String(text) => Val::Text(text),
        Constant::Int(value) => Val::Int(value),
        Constant::Float(_) | Constant::Bool(_) => Val::Unknown,
    }
}

/// What import paths of one module have in common.
fn module_root(path: &str) -> &str {
    let parts = match path.split('/').next() {
        Some("github.com" | "gitlab.com" | "bitbucket.org") => 3,
        _ => 2,
    };
    let end = path.match_indices('/').nth(parts - 1).map(|(at, _)| at);
    &path[..end.unwrap_or(path.len())]
}
