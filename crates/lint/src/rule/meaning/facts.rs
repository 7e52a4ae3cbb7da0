//! What several rules ask about a field: its default, its rules, its limits.

use kindsmith_schema::{Facet, Family, Field, Json, Limit, Owner, Part, Rule, Schema, TypeRef};
use kindsmith_source::Span;

use crate::Report;
use crate::declared::Member;

/// The default that some tool sets, if its value is known.
pub(super) fn default(field: &Field) -> Option<&Json> {
    let set = field.default.as_ref().and_then(|default| default.value());
    set.or(field.crd_default.as_ref())
        .or(field.published_default.as_ref())
}

/// Whether any tool sets a default, known or not.
pub(super) fn has_default(field: &Field) -> bool {
    field.default.is_some() || field.crd_default.is_some() || field.published_default.is_some()
}

/// The place of the default, otherwise of the name.
pub(super) fn default_place(report: &Report<'_>, member: &Member<'_>) -> Span {
    let place = Owner::Field(member.id).part(Part::Default);
    report
        .span(place)
        .or_else(|| {
            let markers = ["kubebuilder:default", "default", "k8s:default"];
            let mut found = member
                .markers
                .iter()
                .filter(|marker| markers.contains(&marker.name));
            found.next().map(|marker| marker.span)
        })
        .unwrap_or(member.name)
}

/// The checks on a field's own value, of all tools: its own and those of the types it names.
pub(super) fn facets<'a>(schema: &'a Schema, field: &'a Field) -> Vec<&'a Facet> {
    let own = value_rules(schema, field).into_iter();
    own.map(|rule| &rule.facet).collect()
}

/// The rules on a field's own value, of all tools: its own and those of the types it names.
pub(super) fn value_rules<'a>(schema: &'a Schema, field: &'a Field) -> Vec<&'a Rule> {
    let mut rules: Vec<&Rule> = field.rules.iter().chain(&field.published).collect();
    let mut of = match &field.ty {
        TypeRef::Pointer(inner) => &**inner,
        other => other,
    };
    for _ in 0..16 {
        let TypeRef::Named(id) = of else {
            break;
        };
        let ty = schema.ty(*id);
        rules.extend(ty.rules.iter().chain(&ty.published));
        match &ty.shape {
            kindsmith_schema::Shape::Def(target) | kindsmith_schema::Shape::Alias(target) => of = target,
            _ => break,
        }
    }
    rules.retain(|rule| rule.is_plain());
    rules
}

/// Rules of declarative validation on a field, with their wrappers.
pub(super) fn native(field: &Field) -> impl Iterator<Item = &Rule> {
    field
        .rules
        .iter()
        .filter(|rule| rule.family == Family::Declarative)
}

/// The number of a bound.
pub(super) fn number(limit: &Limit) -> Option<f64> {
    match limit {
        Limit::Number(json) => json.as_str().parse().ok(),
        Limit::Field(_) => None,
    }
}
