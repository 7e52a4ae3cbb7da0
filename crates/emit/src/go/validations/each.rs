//! Checks of every element, value or key, and comparisons between elements.

use kindsmith_checks::{Body, Call, Matching};
use kindsmith_schema::{FieldId, TypeId, TypeRef};

use super::super::text::literal;
use super::call::Passing;
use super::{At, Writer};

/// A list in the form of the library.
#[derive(Debug, Clone)]
pub(super) struct List {
    /// The element as declared.
    pub(super) element: TypeRef,
    /// Whether elements are plain pointers, for which the library has separate functions.
    pub(super) pointers: bool,
}

impl Writer<'_> {
    pub(super) fn list(&self, ty: &TypeRef) -> Option<List> {
        let element = self.types().list_element(ty)?;
        let element = self.types().unalias(&element);
        let pointers = matches!(element, TypeRef::Pointer(_));
        Some(List { element, pointers })
    }

    /// The library's function for lists of values or of pointers.
    pub(super) fn for_list(list: &List, values: &'static str, pointers: &'static str) -> &'static str {
        if list.pointers { pointers } else { values }
    }

    pub(super) fn each_val(&mut self, matching: &Matching, inner: &Call, at: &At) -> Option<String> {
        if let Some(list) = self.list(&at.ty) {
            let passing = if list.pointers {
                Passing::Nilable
            } else {
                Passing::Pointer
            };
            let inner = self.wrapper(inner, &list.element, passing)?;
            let (find, same) = self.matching(matching, &list.element);
            let function = Self::for_list(&list, "EachValSliceVal", "EachPtrSliceVal");
            return Some(self.library(function, at, &[find, same, inner]));
        }
        let (_, value) = self.types().map_parts(&at.ty)?;
        let inner = self.wrapper(inner, &value, Passing::Pointer)?;
        let same = self.pointer_equality(&value);
        Some(self.library("EachMapVal", at, &[same, inner]))
    }

    pub(super) fn each_key(&mut self, inner: &Call, at: &At) -> Option<String> {
        let (key, _) = self.types().map_parts(&at.ty)?;
        let inner = self.wrapper(inner, &key, Passing::Pointer)?;
        Some(self.library("EachMapKey", at, &[inner]))
    }

    pub(super) fn unique_items(&mut self, matching: &Matching, at: &At) -> Option<String> {
        let list = self.list(&at.ty)?;
        let (find, _) = self.matching(matching, &list.element);
        let function = Self::for_list(&list, "ValSliceUnique", "PtrSliceUnique");
        Some(self.library(function, at, &[find]))
    }

    /// How an element finds its old value, and when the two are equal. Elements found by their whole value
    /// are equal.
    pub(super) fn matching(&mut self, matching: &Matching, element: &TypeRef) -> (String, String) {
        match matching {
            Matching::None => ("nil".to_owned(), "nil".to_owned()),
            Matching::Value => (self.pointer_equality(element), "nil".to_owned()),
            Matching::Keys(keys) => (self.key_match(keys, element), self.pointer_equality(element)),
        }
    }

    /// Equality of two pointers to values of a type. Values of named pointer types are compared deeply.
    pub(super) fn pointer_equality(&mut self, ty: &TypeRef) -> String {
        let is_plain = matches!(self.types().unalias(ty), TypeRef::Pointer(_)) || !self.names.is_nilable(ty);
        if is_plain {
            self.equality(ty)
        } else {
            self.validate("SemanticDeepEqual")
        }
    }

    fn key_match(&mut self, keys: &[FieldId], element: &TypeRef) -> String {
        let conditions: Vec<String> = keys
            .iter()
            .map(|key| {
                let field = self.schema().field(*key);
                let name = &field.name;
                if self.types().is_pointer(&field.ty) {
                    format!("{}(a.{name}, b.{name})", self.validate("DirectEqual"))
                } else {
                    format!("a.{name} == b.{name}")
                }
            })
            .collect();
        let element = self.types().non_pointer(element);
        let element = self.names.text(&element);
        let condition = if conditions.is_empty() {
            "true".to_owned()
        } else {
            conditions.join(" && ")
        };
        literal(
            &format!("func(a, b *{element}) bool"),
            &format!("return {condition}"),
        )
    }
}

/// The type whose function is called for every key or element.
pub(super) fn iterated(call: &Call) -> Option<TypeId> {
    match &call.body {
        Body::EachVal { inner, .. } | Body::EachKey(inner) => match inner.body {
            Body::TypeFunction(ty) => Some(ty),
            _ => None,
        },
        _ => None,
    }
}
