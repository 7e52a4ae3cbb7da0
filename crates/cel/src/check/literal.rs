//! List, map and message literals.

use crate::syntax::ast::{Entry, ExprId, Field};
use crate::types::{Kind, Type};

use super::Checker;

impl Checker<'_, '_> {
    pub(super) fn check_list(&mut self, id: ExprId, elements: &[ExprId], optional: &[bool]) {
        let mut joined = None;
        for (element, optional) in elements.iter().zip(optional) {
            self.check(*element);
            let ty = self.element_type(*element, *optional);
            joined = Some(self.join(joined, ty));
        }
        let element = joined.unwrap_or_else(|| self.fresh());
        self.set(id, Type::list(element));
    }

    /// The type an element adds to its aggregate; an optional one adds what it wraps.
    fn element_type(&mut self, element: ExprId, optional: bool) -> Type {
        let ty = self.ty(element);
        if !optional {
            return ty;
        }
        if let Some(inner) = ty.unwrap_optional() {
            return inner.clone();
        }
        if !ty.is_dyn() {
            self.mismatch(element, &Type::optional(ty.clone()), &ty);
        }
        ty
    }

    pub(super) fn check_map(&mut self, id: ExprId, entries: &[Entry]) {
        let (mut key_type, mut value_type) = (None, None);
        for entry in entries {
            self.check(entry.key);
            let ty = self.ty(entry.key);
            key_type = Some(self.join(key_type, ty));
            self.check(entry.value);
            let ty = self.element_type(entry.value, entry.optional);
            value_type = Some(self.join(value_type, ty));
        }
        let key = key_type.unwrap_or_else(|| self.fresh());
        let value = value_type.unwrap_or_else(|| self.fresh());
        self.set(id, Type::map(key, value));
    }

    pub(super) fn check_struct(&mut self, id: ExprId, name: &str, fields: &[Field]) {
        let written = name;
        let name = name.strip_prefix('.').unwrap_or(name);
        let Some(ty) = self.env.type_named(name) else {
            self.undeclared(id, written);
            return;
        };
        // The parameters of the bare container types are dyn here.
        let ty = match ty {
            Type::List(element) if element.kind() == Kind::Var => Type::list(Type::Dyn),
            other => other,
        };
        let (result, message) = match well_known_name(&ty) {
            Some(well_known) => (ty, well_known.to_owned()),
            None if ty.kind() == Kind::Object => (ty.clone(), ty.name()),
            None => {
                self.error(id, format!("'{}' is not a message type", ty.name()));
                (Type::Error, name.to_owned())
            }
        };
        self.set(id, result);
        for field in fields {
            self.check(field.value);
            let wanted = self
                .field_type(field.offset, &message, &field.name)
                .unwrap_or(Type::Error);
            let actual = self.element_type(field.value, field.optional);
            if !self.mapping.assignable(&wanted, &actual) {
                let text = format!(
                    "expected type of field '{}' is '{}' but provided type is '{}'",
                    field.name,
                    wanted.in_errors(),
                    actual.in_errors()
                );
                let location = self.source.location(field.offset);
                self.errors.report(location, text);
            }
        }
    }
}

/// The message whose literal makes a value of a built-in type.
pub(super) fn well_known_name(ty: &Type) -> Option<&'static str> {
    Some(match ty {
        Type::Any => "google.protobuf.Any",
        Type::Timestamp => "google.protobuf.Timestamp",
        Type::Duration => "google.protobuf.Duration",
        Type::Dyn => "google.protobuf.Value",
        Type::Null => "google.protobuf.NullValue",
        Type::Wrapper(inner) => match **inner {
            Type::Bool => "google.protobuf.BoolValue",
            Type::Bytes => "google.protobuf.BytesValue",
            Type::Double => "google.protobuf.DoubleValue",
            Type::Int => "google.protobuf.Int64Value",
            Type::String => "google.protobuf.StringValue",
            _ => "google.protobuf.UInt64Value",
        },
        Type::List(element) if **element == Type::Dyn => "google.protobuf.ListValue",
        Type::Map(pair) if **pair == (Type::String, Type::Dyn) => "google.protobuf.Struct",
        _ => return None,
    })
}
