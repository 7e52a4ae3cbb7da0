//! Validated fields that do not say whether they must be set.

use std::collections::HashSet;

use kindsmith_schema::{
    Facet, Family, Field, GoKind, Owner, Part, Rule as SchemaRule, Shape, TypeId, TypeRef,
};

use super::Rule;
use crate::reach::Reach;
use crate::{Report, linted};

pub(super) const RULE: Rule = Rule {
    code: "requiredness",
    docs: include_str!("requiredness.md"),
    check,
};

fn check(reach: &Reach<'_>, report: &mut Report<'_>) {
    let schema = reach.schema;
    for id in linted::types(reach) {
        for (field_id, field) in schema.fields(id) {
            if reach.view().kind(&field.ty) == GoKind::Struct
                || says_requiredness(field)
                || !is_validated(reach, field)
            {
                continue;
            }
            let text = "field with validation must have +k8s:optional, +k8s:required or +k8s:forbidden";
            let owner = Owner::Field(field_id);
            report.error(&[owner.part(Part::Name)], text, |finding| {
                finding
                    .help("add `// +k8s:optional` if clients may leave the field out, `// +k8s:required` if not")
                    .upstream(linted::upstream_text(schema, owner, text))
            });
        }
    }
}

fn native(rules: &[SchemaRule]) -> impl Iterator<Item = &SchemaRule> {
    rules.iter().filter(|rule| rule.family == Family::Native)
}

/// Anywhere in a chain counts, even for a subfield, as it does upstream.
fn says_requiredness(field: &Field) -> bool {
    native(&field.rules)
        .any(|rule| matches!(rule.facet, Facet::Optional | Facet::Required | Facet::Forbidden))
}

fn is_validated(reach: &Reach<'_>, field: &Field) -> bool {
    let opaque = native(&field.rules).any(|rule| rule.facet == Facet::OpaqueType);
    has_check(&field.rules) || (!opaque && type_has_check(reach, &field.ty, &mut HashSet::new()))
}

fn has_check(rules: &[SchemaRule]) -> bool {
    native(rules).any(|rule| !matches!(rule.facet, Facet::Optional | Facet::OpaqueType))
}

fn type_has_check(reach: &Reach<'_>, ty: &TypeRef, seen: &mut HashSet<TypeId>) -> bool {
    match ty {
        TypeRef::Named(id) => reach.is_included(*id) && seen.insert(*id) && named_has_check(reach, *id, seen),
        TypeRef::Pointer(inner) | TypeRef::List(inner) | TypeRef::Array(_, inner) => {
            type_has_check(reach, inner, seen)
        }
        TypeRef::Map(key, value) => type_has_check(reach, key, seen) || type_has_check(reach, value, seen),
        _ => false,
    }
}

fn named_has_check(reach: &Reach<'_>, id: TypeId, seen: &mut HashSet<TypeId>) -> bool {
    let ty = reach.schema.ty(id);
    if has_check(&ty.rules) {
        return true;
    }
    match &ty.shape {
        Shape::Struct(members) => members
            .fields
            .iter()
            .any(|field| has_check(&field.rules) || type_has_check(reach, &field.ty, seen)),
        Shape::Def(target) | Shape::Alias(target) => type_has_check(reach, target, seen),
        Shape::Hole => false,
    }
}
