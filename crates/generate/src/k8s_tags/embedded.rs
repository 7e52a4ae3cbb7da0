//! Structs embedded through a pointer: if none of their members is set, the pointer is nil in Go and is not
//! validated.

use kindsmith_cel::escape::escape;
use kindsmith_schema::{Field, JsonSchema, TypeId, TypeRef, ValidationRule, View, WithoutOld};

use super::cel_text::rule_of;

/// The type that an embedded field points to.
pub(crate) fn pointee(view: View<'_>, field: &Field) -> Option<TypeId> {
    let TypeRef::Pointer(target) = view.unalias(&field.ty) else {
        return None;
    };
    match view.unalias(target) {
        TypeRef::Named(id) => Some(*id),
        _ => None,
    }
}

/// Makes the requirements of the embedded struct depend on one of its members being set.
pub(super) fn behind_pointer(declared: JsonSchema, node: &mut JsonSchema) {
    if let Some(spared) = spared(declared) {
        let own = std::mem::replace(node, spared);
        node.validations.extend(own.validations);
        node.all_of.extend(own.all_of);
    }
}

/// The struct's schema, with requirements only if it is present; `None` if CEL cannot see that.
fn spared(mut declared: JsonSchema) -> Option<JsonSchema> {
    let filled_in = declared
        .properties
        .iter()
        .any(|(_, member)| member.default.is_some());
    if filled_in || !declared.all_of.is_empty() || declared.properties.is_empty() {
        return None;
    }
    let there: Option<Vec<String>> = declared
        .properties
        .iter()
        .map(|(name, _)| Some(format!("has(self.{})", escape(name)?)))
        .collect();
    let absent = format!("!({})", there?.join(" || "));
    let required = std::mem::take(&mut declared.required);
    for rule in &mut declared.validations {
        rule.rule = format!("{absent} || ({})", rule.rule).into();
        if let WithoutOld::Plain(plain) = &mut rule.without_old {
            *plain = format!("{absent} || ({plain})").into();
        }
    }
    for name in &required {
        let cel = escape(name)?;
        declared.validations.push(ValidationRule {
            reason: Some("FieldValueRequired".into()),
            ..rule_of(
                &format!("{absent} || has(self.{cel})"),
                &format!("{name} must be set"),
            )
        });
    }
    Some(declared)
}
