//! List, map and message literals.

use crate::dialect::Feature;
use crate::syntax::ast::{Entry, ExprId, Field};
use crate::types::{Kind, Type};

use super::env::without_dot;
use super::infer::{Inference, mismatch};

/// The largest type of a map literal. The type of `{x: x}` is twice as large as that of `x`, so without a limit the
/// time to check nested literals would double with every level.
const MAX_MAP_TYPE: usize = 1000;

impl Inference<'_, '_> {
    pub(super) fn infer_list(&mut self, elements: &[ExprId], optional: &[bool]) -> Type {
        let mut common = None;
        for (element, optional) in elements.iter().zip(optional) {
            let ty = self.infer_element(*element, *optional);
            common = Some(self.join(common, ty));
        }
        Type::list(self.or_fresh(common))
    }

    pub(super) fn infer_map(&mut self, entries: &[Entry]) -> Type {
        let (mut keys, mut values) = (None, None);
        for entry in entries {
            let key = self.infer(entry.key);
            keys = Some(self.join(keys, key));
            let value = self.infer_element(entry.value, entry.optional);
            values = Some(self.join(values, value));
        }
        let key = self.or_fresh(keys);
        let ty = Type::map(key, self.or_fresh(values));
        if ty.is_within(MAX_MAP_TYPE) {
            ty
        } else {
            Type::map(Type::Dyn, Type::Dyn)
        }
    }

    pub(super) fn infer_message(&mut self, id: ExprId, name: &str, fields: &[Field]) -> Type {
        let Some(named) = self.env.type_named(without_dot(name)) else {
            let is_old = !self.env.dialect().has(Feature::LiteralsOfTypes);
            return match self.env.global(without_dot(name)).filter(|_| is_old) {
                Some((ty, _)) => self.error(id, format!("'{}' is not a type", ty.name())),
                None => self.undeclared(id, name),
            };
        };
        // Here `list` without a parameter is a list of dyn.
        let ty = match named {
            Type::List(element) if element.kind() == Kind::Var => Type::list(Type::Dyn),
            other => other,
        };
        let (ty, message) = match message_name(&ty) {
            Some(message) => (ty.clone(), message),
            None => {
                let error = self.error(id, format!("'{}' is not a message type", ty.name()));
                (error, without_dot(name).to_owned())
            }
        };
        for field in fields {
            self.infer_field(&message, field);
        }
        ty
    }

    fn infer_field(&mut self, message: &str, field: &Field) {
        let at = self.source.location(field.offset);
        let value = self.infer(field.value);
        let wanted = self.field_type(at, message, &field.name);
        let actual = self.unwrap_element(field.value, value, field.optional);
        if !self.unifier.fit(&wanted, &actual) {
            let text = format!(
                "expected type of field '{}' is '{}' but provided type is '{}'",
                field.name,
                wanted.in_errors(),
                actual.in_errors()
            );
            self.errors.report(at, text);
        }
    }

    fn infer_element(&mut self, element: ExprId, optional: bool) -> Type {
        let ty = self.infer(element);
        self.unwrap_element(element, ty, optional)
    }

    /// The type that an element adds to its aggregate; for an optional one (`?x`) the inner type.
    fn unwrap_element(&mut self, element: ExprId, ty: Type, optional: bool) -> Type {
        if !optional {
            return ty;
        }
        if let Some(inner) = ty.unwrap_optional() {
            return inner.clone();
        }
        if !ty.is_dyn() {
            self.error(element, mismatch(&Type::optional(ty.clone()), &ty));
        }
        ty
    }

    /// The more general of two element types that fit each other, else dyn. The validator rejects most mixed literals
    /// later.
    fn join(&mut self, common: Option<Type>, ty: Type) -> Type {
        match common {
            None => ty,
            Some(common) if !self.unifier.fit(&common, &ty) => Type::Dyn,
            Some(common) if common.covers(&ty) => common,
            Some(_) => ty,
        }
    }

    /// The element type; a fresh variable for an empty literal, which says nothing about its elements.
    fn or_fresh(&mut self, common: Option<Type>) -> Type {
        common.unwrap_or_else(|| Type::Var(self.unifier.fresh(1)))
    }
}

/// The name of the message that creates values of a type.
fn message_name(ty: &Type) -> Option<String> {
    let known = match ty {
        Type::Object(name) => return Some(name.to_string()),
        Type::Any => "Any",
        Type::Timestamp => "Timestamp",
        Type::Duration => "Duration",
        Type::Dyn => "Value",
        Type::Null => "NullValue",
        Type::Wrapper(inner) => match **inner {
            Type::Bool => "BoolValue",
            Type::Bytes => "BytesValue",
            Type::Double => "DoubleValue",
            Type::Int => "Int64Value",
            Type::String => "StringValue",
            _ => "UInt64Value",
        },
        Type::List(element) if **element == Type::Dyn => "ListValue",
        Type::Map(pair) if **pair == [Type::String, Type::Dyn] => "Struct",
        _ => return None,
    };
    Some(format!("google.protobuf.{known}"))
}
