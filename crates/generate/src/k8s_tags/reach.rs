//! Which tags count where: those that controller-gen does not read, and those of a type at the place of its use.

use kindsmith_schema::{Facet, Family, Field, Rule, Schema, Shape, Type, TypeId, TypeRef, View, Wrap};

/// Whether the types of a package use tags that only declarative validation reads.
pub(crate) fn is_used(schema: &Schema, package: &str) -> bool {
    let own = |rules: &[Rule]| {
        rules
            .iter()
            .any(|rule| rule.family == Family::Declarative && !is_shared(rule))
    };
    schema
        .types()
        .filter(|(_, ty)| &*ty.name.package == package)
        .any(|(_, ty)| own(&ty.rules) || ty.fields().iter().any(|field| own(&field.rules)))
}

/// Tags that controller-gen reads itself.
fn is_shared(rule: &Rule) -> bool {
    rule.is_plain()
        && matches!(
            rule.facet,
            Facet::Required
                | Facet::Optional
                | Facet::Immutable
                | Facet::Enum
                | Facet::ListType(_)
                | Facet::ListMapKey(_)
        )
}

/// Whether the tags of a field's type do not count at the field.
pub(crate) fn is_opaque(field: &Field) -> bool {
    has_opaque(&field.rules, |wrap| *wrap == Wrap::EachVal)
}

/// Whether the members of a type are never validated.
pub(crate) fn is_opaque_type(ty: &Type) -> bool {
    has_opaque(&ty.rules, |_| false)
}

pub(super) fn has_opaque(rules: &[Rule], allowed: impl Fn(&Wrap) -> bool) -> bool {
    let is = |rule: &Rule| {
        rule.family == Family::Declarative && rule.facet == Facet::OpaqueType && rule.scope().all(&allowed)
    };
    rules.iter().any(is)
}

/// The named list, map or scalar type of a field, whose tags are applied at the field.
pub(crate) fn scalar_or_list(view: View<'_>, of: &TypeRef) -> Option<TypeId> {
    let TypeRef::Named(id) = view.unalias(view.deref(of)) else {
        return None;
    };
    let ty = view.ty(*id);
    let is_plain = ty.well_known.is_none() && matches!(ty.shape, Shape::Def(_));
    (is_plain && view.members(of).is_none()).then_some(*id)
}
