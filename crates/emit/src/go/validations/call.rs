//! One call of a check as an expression.

use kindsmith_checks::{Body, Call};
use kindsmith_schema::{Level, TypeRef};

use super::super::text::{call, deeper, literal, quote};
use super::{At, Writer};

/// The form in which a library function passes values to a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Passing {
    /// As checks receive them.
    Nilable,
    /// Always by pointer.
    Pointer,
}

impl Writer<'_> {
    /// The call with its level.
    pub(super) fn leveled(&mut self, call: &Call, at: &At) -> Option<String> {
        Some(self.call(call, at)? + mark(call.level))
    }

    /// The call; `None` if it does not fit the type.
    pub(super) fn call(&mut self, call: &Call, at: &At) -> Option<String> {
        match &call.body {
            Body::Leaf(leaf) => self.leaf(leaf, at),
            Body::TypeFunction(ty) => {
                let function = self.function_name(*ty);
                Some(format!("{function}({})", Self::standard(at)))
            }
            Body::EachVal { matching, inner } => self.each_val(matching, inner, at),
            Body::EachKey(inner) => self.each_key(inner, at),
            Body::Subfield { field, name, inner } => self.subfield(*field, name, inner, at),
            Body::Item { selector, inner } => self.item(selector, inner, at),
            Body::IfOption {
                option,
                enabled,
                inner,
            } => {
                let inner = self.wrapper(inner, &at.ty, Passing::Nilable)?;
                let condition = format!("{}, {enabled}", quote(option));
                Some(self.library("IfOption", at, &[condition, inner]))
            }
            Body::IfSubresource { path, matches, inner } => self.if_subresource(path, *matches, inner, at),
            Body::Unique(matching) => self.unique_items(matching, at),
            Body::Update {
                constraints,
                matching,
            } => self.update(constraints, matching, at),
            Body::ItemUpdate {
                selector,
                constraints,
            } => self.item_update(selector, constraints, at),
            Body::ImmutableItems(matching) => self.immutable_items(matching, at),
            Body::Union(union) => self.union(union, at),
            Body::Dependent {
                trigger,
                trigger_name,
                dependent,
                dependent_name,
                required,
            } => {
                let function = if *required {
                    "DependentRequired"
                } else {
                    "DependentForbidden"
                };
                let trigger = format!("{}, {}", quote(trigger_name), self.is_set(*trigger, at));
                let dependent = format!("{}, {}", quote(dependent_name), self.is_set(*dependent, at));
                Some(self.library(function, at, &[trigger, dependent]))
            }
            Body::Mode(mode) => self.mode(mode, at),
            Body::Compare(compare) => self.compare(compare, at),
        }
    }

    /// A call of a function of the validation library.
    pub(super) fn library(&mut self, function: &str, at: &At, arguments: &[String]) -> String {
        let mut groups = vec![Self::standard(at)];
        groups.extend(arguments.iter().cloned());
        call(&self.validate(function), &groups)
    }

    /// A check as a function value. Levels of checks without arguments are lost inside, as upstream.
    pub(super) fn wrapper(&mut self, inner: &Call, ty: &TypeRef, passing: Passing) -> Option<String> {
        let ty = self.types().unalias(ty);
        let is_nilable = self.names.is_nilable(&ty);
        let is_passed_on = passing == Passing::Nilable || !is_nilable;
        let level = inner.level.filter(|_| inner.has_arguments());
        if is_passed_on
            && !inner.has_arguments()
            && let Some(function) = self.function_value(inner, &ty)
        {
            return Some(function);
        }
        let parameter = if is_passed_on {
            self.names.nilable(&ty)
        } else {
            format!("*{}", self.names.text(&ty))
        };
        let mut at = At::parameters(&ty);
        if !is_passed_on {
            let (text, field) = (self.names.text(&ty), self.safe("Field"));
            at.new = "*obj".to_owned();
            at.old = format!("{field}(oldObj, func(o *{text}) {text} {{ return *o }})");
        }
        let body = self.call(inner, &at)? + mark(level);
        let errors = self.error_list();
        Some(literal(
            &self.head("", &parameter, &errors),
            &format!("return {body}"),
        ))
    }

    /// The function name of a check without arguments, if Go can infer that the types agree.
    fn function_value(&mut self, inner: &Call, ty: &TypeRef) -> Option<String> {
        match &inner.body {
            Body::TypeFunction(id) => Some(self.function_name(*id)),
            Body::Leaf(leaf) => {
                let is_plain = !self.names.is_nilable(ty) || matches!(ty, TypeRef::Pointer(_));
                self.plain_leaf(leaf, ty).filter(|_| is_plain)
            }
            _ => None,
        }
    }

    /// Statements that produce an error list, as an expression.
    pub(super) fn inline(&mut self, statements: &str) -> String {
        let errors = self.error_list();
        format!("func() (errs {errors}) {{\n{}\n}}()", deeper(statements))
    }
}

/// The method that marks errors with their level.
pub(super) fn mark(level: Option<Level>) -> &'static str {
    match level {
        Some(Level::Alpha) => ".MarkAlpha()",
        Some(Level::Beta) => ".MarkBeta()",
        Some(Level::Stable) | None => "",
    }
}
