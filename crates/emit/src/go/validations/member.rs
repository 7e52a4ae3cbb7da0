//! Checks of a member of a struct, and of one item of a list.

use kindsmith_checks::Call;
use kindsmith_schema::{FieldId, Literal, Str, TypeRef};

use super::super::text::{deeper, literal, quote};
use super::call::Passing;
use super::{At, Writer};

impl Writer<'_> {
    pub(super) fn subfield(&mut self, field: FieldId, name: &Str, inner: &Call, at: &At) -> Option<String> {
        let member = self.schema().field(field);
        let ty = self.types().unalias(&member.ty);
        let getter = self.getter(&at.ty, &ty, &member.name);
        let same = self.equality(&ty);
        let inner = self.wrapper(inner, &ty, Passing::Nilable)?;
        let name = quote(name);
        Some(self.library("Subfield", at, &[format!("{name}, {getter}"), same, inner]))
    }

    pub(super) fn item(&mut self, selector: &[(FieldId, Literal)], inner: &Call, at: &At) -> Option<String> {
        let list = self.list(&at.ty)?;
        let element = self.types().non_pointer(&list.element);
        let selects = self.selecting(selector, &element);
        let same = self.equality(&element);
        let inner = self.wrapper(inner, &element, Passing::Nilable)?;
        let function = Self::for_list(&list, "ValSliceItem", "PtrSliceItem");
        Some(self.library(function, at, &[selects, same, inner]))
    }

    /// A function that reports whether an element, given by pointer, matches the selector.
    pub(super) fn selecting(&mut self, selector: &[(FieldId, Literal)], element: &TypeRef) -> String {
        let condition = self.selects(selector, "item");
        let element = self.names.text(element);
        literal(
            &format!("func(item *{element}) bool"),
            &format!("return {condition}"),
        )
    }

    /// The condition that an element matches the selector.
    pub(super) fn selects(&self, selector: &[(FieldId, Literal)], element: &str) -> String {
        let conditions: Vec<String> = selector
            .iter()
            .map(|(key, value)| {
                let field = self.schema().field(*key);
                let member = format!("{element}.{}", field.name);
                let value = match value {
                    Literal::Str(text) => quote(text),
                    other => other.to_string(),
                };
                if self.types().is_pointer(&field.ty) {
                    format!("{member} != nil && *{member} == {value}")
                } else {
                    format!("{member} == {value}")
                }
            })
            .collect();
        if conditions.is_empty() {
            "true".to_owned()
        } else {
            conditions.join(" && ")
        }
    }

    /// A function that reports whether a member of the struct is set.
    pub(super) fn is_set(&mut self, field: FieldId, at: &At) -> String {
        let member = self.schema().field(field);
        let holder = self.names.nilable(&at.ty);
        let condition = self.set_condition(&member.ty, &format!("o.{}", member.name));
        literal(
            &format!("func(o {holder}) bool"),
            &format!("return o != nil && {condition}"),
        )
    }

    pub(super) fn set_condition(&self, ty: &TypeRef, member: &str) -> String {
        let resolved = self.types().resolved(ty);
        match resolved.base {
            _ if resolved.pointers > 0 => format!("{member} != nil"),
            TypeRef::List(_) | TypeRef::Map(..) => format!("len({member}) != 0"),
            TypeRef::Scalar(kindsmith_schema::Scalar::String) => format!("{member} != \"\""),
            TypeRef::Scalar(kindsmith_schema::Scalar::Bool) => format!("bool({member})"),
            TypeRef::Scalar(_) => format!("{member} != 0"),
            TypeRef::Any { .. } | TypeRef::Interface => format!("{member} != nil"),
            _ => "true".to_owned(),
        }
    }

    /// Conditions on the request's path. KEP only.
    pub(super) fn if_subresource(
        &mut self,
        path: &str,
        matches: bool,
        inner: &Call,
        at: &At,
    ) -> Option<String> {
        let inner = self.leveled(inner, at)?;
        let compared = if matches { "==" } else { "!=" };
        let check = deeper(&format!("return {inner}"));
        Some(self.inline(&format!(
            "if op.Request.SubresourcePath() {compared} {} {{\n{check}\n}}\nreturn nil",
            quote(path)
        )))
    }
}
