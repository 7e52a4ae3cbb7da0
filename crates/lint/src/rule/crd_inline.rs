//! Fields that controller-gen merges into their parent although they are not objects (controller-tools
//! `pkg/crd/schema.go`, `structToSchema`, and `pkg/crd/flatten.go`).

use kindsmith_schema::{Facet, Family, Field, Owner, Scalar, Schema, TypeRef, View, WellKnown};
use kindsmith_source::{Finding, Tool};

use super::Rule;
use crate::Report;
use crate::reach::Reach;
use crate::report::type_then_name;

pub(super) const RULE: Rule = Rule::reach(
    Finding::new("crd-inline", Tool::ControllerGen, include_str!("crd_inline.md")),
    check,
);

fn check(reach: &Reach<'_>, report: &mut Report<'_>) {
    let schema = reach.schema;
    for id in crate::custom::types(schema) {
        for (field_id, field) in schema.fields(id).filter(|(_, field)| is_merged(field)) {
            let Some(word) = published_type(schema, field).filter(|word| *word != "object") else {
                continue;
            };
            let text = format!("conflicting types in allOf branches in schema: object vs {word}");
            report.error(&type_then_name(Owner::Field(field_id)), text.clone(), |finding| {
                finding
                    .label("merged into the struct around it")
                    .help("give the field a name in its `json` tag")
                    .upstream(format!("controller-gen: {text}"))
            });
        }
    }
}

/// Whether controller-gen merges the field into its parent: it checks only the name.
fn is_merged(field: &Field) -> bool {
    field.json.present && !field.json.skip && (field.json.name.is_empty() || field.json.inline)
}

/// The `type` of the published schema, if it is certain.
fn published_type(schema: &Schema, field: &Field) -> Option<&'static str> {
    let changes_type = |facet: &Facet| matches!(facet, Facet::Type(_) | Facet::Schemaless);
    let mut rules = field.rules.iter();
    if rules.any(|rule| rule.family == Family::Kubebuilder && changes_type(&rule.facet)) {
        return None;
    }
    let view = schema.view();
    let of = view.deref(&field.ty);
    if let TypeRef::Named(id) = view.unalias(of) {
        let ty = schema.ty(*id);
        if ty.has_method("MarshalJSON") || ty.has_method("MarshalText") || !ty.rules.is_empty() {
            return None;
        }
        if let Some(known) = ty.well_known {
            let is_text = matches!(
                known,
                WellKnown::Time | WellKnown::MicroTime | WellKnown::Duration
            );
            return is_text.then_some("string");
        }
    }
    word(view, of)
}

fn word(view: View<'_>, of: &TypeRef) -> Option<&'static str> {
    match view.underlying(of) {
        TypeRef::Scalar(Scalar::String) => Some("string"),
        TypeRef::Scalar(Scalar::Bool) => Some("boolean"),
        // These have a finding of their own.
        TypeRef::Scalar(Scalar::Float32 | Scalar::Float64) => None,
        TypeRef::Scalar(_) => Some("integer"),
        TypeRef::List(inner) if **inner == TypeRef::Scalar(Scalar::Byte) => Some("string"),
        TypeRef::List(_) | TypeRef::Array(..) => Some("array"),
        TypeRef::Map(..) => Some("object"),
        _ => None,
    }
}
