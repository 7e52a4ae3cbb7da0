//! Validated fields without a tag that says whether they must be set.

use std::collections::HashSet;

use kindsmith_schema::{
    Facet, Family, Field, GoKind, Owner, Part, Rule as SchemaRule, Shape, TypeId, TypeRef, Wrap,
};
use kindsmith_source::{Finding, Tool};

use super::Rule;
use crate::reach::Reach;
use crate::{Report, linted};

pub(super) const RULE: Rule = Rule::reach(
    Finding::new(
        "requiredness",
        Tool::ValidationGen,
        include_str!("requiredness.md"),
    ),
    check,
);

fn check(reach: &Reach<'_>, report: &mut Report<'_>) {
    if report.is_kep() {
        return check_tri_state(reach, report);
    }
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

/// KEP-5073, "Handling zero values": `optional`, `required` and `default` exclude each other, and a field may have none of
/// them. The tag `k8s:default` refuses the other two itself.
fn check_tri_state(reach: &Reach<'_>, report: &mut Report<'_>) {
    for id in linted::types(reach) {
        for (field_id, field) in reach.schema.fields(id) {
            let says =
                |wanted: &Facet| native(&field.rules).any(|rule| rule.is_plain() && rule.facet == *wanted);
            if says(&Facet::Optional) && says(&Facet::Required) {
                let text = "+k8s:optional and +k8s:required exclude each other";
                report.error(&[Owner::Field(field_id).part(Part::Name)], text, |finding| {
                    finding.help("keep the one that is meant")
                });
            }
        }
    }
}

fn native(rules: &[SchemaRule]) -> impl Iterator<Item = &SchemaRule> {
    rules.iter().filter(|rule| rule.family == Family::Declarative)
}

/// A tag anywhere in a chain counts, even for a subfield, as upstream.
fn says_requiredness(field: &Field) -> bool {
    native(&field.rules)
        .any(|rule| matches!(rule.facet, Facet::Optional | Facet::Required | Facet::Forbidden))
}

fn is_validated(reach: &Reach<'_>, field: &Field) -> bool {
    has_check(&field.rules) || type_has_check(reach, &field.ty, Opaque::of(&field.rules), &mut HashSet::new())
}

fn has_check(rules: &[SchemaRule]) -> bool {
    native(rules).any(|rule| !matches!(rule.facet, Facet::Optional | Facet::OpaqueType))
}

/// For which parts the rules of the type do not count.
#[derive(Debug, Clone, Copy, Default)]
struct Opaque {
    value: bool,
    keys: bool,
    elements: bool,
}

impl Opaque {
    fn of(rules: &[SchemaRule]) -> Self {
        let says = |scope: &[Wrap]| {
            native(rules).any(|rule| rule.facet == Facet::OpaqueType && rule.scope().eq(scope.iter()))
        };
        Self {
            value: says(&[]),
            keys: says(&[Wrap::EachKey]),
            elements: says(&[Wrap::EachVal]),
        }
    }

    fn or(self, other: Self) -> Self {
        Self {
            value: self.value || other.value,
            keys: self.keys || other.keys,
            elements: self.elements || other.elements,
        }
    }

    /// The same for the part one step inside, which has only a value.
    fn value(value: bool) -> Self {
        Self {
            value,
            ..Self::default()
        }
    }
}

fn type_has_check(reach: &Reach<'_>, ty: &TypeRef, opaque: Opaque, seen: &mut HashSet<TypeId>) -> bool {
    match ty {
        _ if opaque.value => false,
        TypeRef::Named(id) => seen.insert(*id) && named_has_check(reach, *id, opaque, seen),
        TypeRef::Pointer(inner) => type_has_check(reach, inner, opaque, seen),
        TypeRef::List(inner) | TypeRef::Array(_, inner) => {
            type_has_check(reach, inner, Opaque::value(opaque.elements), seen)
        }
        TypeRef::Map(key, value) => {
            type_has_check(reach, key, Opaque::value(opaque.keys), seen)
                || type_has_check(reach, value, Opaque::value(opaque.elements), seen)
        }
        _ => false,
    }
}

fn named_has_check(reach: &Reach<'_>, id: TypeId, opaque: Opaque, seen: &mut HashSet<TypeId>) -> bool {
    let ty = reach.schema.ty(id);
    let opaque = opaque.or(Opaque::of(&ty.rules));
    if opaque.value || has_check(&ty.rules) {
        return !opaque.value;
    }
    match &ty.shape {
        Shape::Struct(members) => members.fields.iter().any(|field| {
            let opaque = opaque.or(Opaque::of(&field.rules));
            has_check(&field.rules) || type_has_check(reach, &field.ty, opaque, seen)
        }),
        Shape::Def(target) | Shape::Alias(target) => type_has_check(reach, target, opaque, seen),
        Shape::Hole => false,
    }
}
