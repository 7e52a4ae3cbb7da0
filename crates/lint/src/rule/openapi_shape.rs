//! Types openapi-gen has no schema for (kube-openapi `pkg/generators/openapi.go`).

use kindsmith_schema::{Field, GoKind, Owner, Scalar, TypeRef, View};

use super::Rule;
use crate::Report;
use crate::reach::Reach;
use crate::report::type_then_name;

pub(super) const RULE: Rule = Rule {
    code: "openapi-shape",
    docs: include_str!("openapi_shape.md"),
    check,
};

/// What openapi-gen prints before what is wrong.
pub(super) const FAILED: &str =
    "OpenAPI code generation error: failed executing generator: some targets had errors: ";

fn check(reach: &Reach<'_>, report: &mut Report<'_>) {
    let schema = reach.schema;
    for id in crate::published::types(schema) {
        let ty = schema.ty(id);
        for (field_id, field) in schema.fields(id).filter(|(_, field)| is_property(field)) {
            let Some((while_doing, text)) = problem(reach.view(), &field.ty) else {
                continue;
            };
            let upstream = format!(
                "{FAILED}failed to generate {while_doing} in {}: {}: {text}",
                ty.name, field.name
            );
            report.error(&type_then_name(Owner::Field(field_id)), text, |finding| {
                finding
                    .upstream(upstream)
                    .help("API types hold data that JSON can carry")
            });
        }
    }
}

/// Whether the field becomes a property of its own; what travels as text is not looked at.
fn is_property(field: &Field) -> bool {
    let dropped = field.json.present && (field.json.name.is_empty() || &*field.json.name == "-");
    let as_text = field.json.string && !field.json.omitempty;
    !dropped && !as_text
}

/// What openapi-gen was doing, and why it stopped.
fn problem(view: View<'_>, of: &TypeRef) -> Option<(&'static str, String)> {
    if let Some(kind) = unknown_kind(view, of) {
        return Some(("default", format!("not sure how to enforce default for {kind}")));
    }
    let mut of = view.underlying(of);
    while let TypeRef::Pointer(inner) = of {
        of = view.underlying(inner);
    }
    match of {
        TypeRef::Map(key, _) if view.scalar(key) != Some(Scalar::String) => Some((
            "map property",
            format!(
                "map with non-string keys are not supported by OpenAPI in {}",
                view.text(of)
            ),
        )),
        TypeRef::Map(_, value) => {
            let kind = unknown_kind(view, value)?;
            Some((
                "map property",
                format!("map Element kind {kind} is not supported in {}", view.text(of)),
            ))
        }
        TypeRef::List(element) => {
            let kind = unknown_kind(view, element)?;
            Some((
                "slice property",
                format!("slice Element kind {kind} is not supported in {}", view.text(of)),
            ))
        }
        _ => None,
    }
}

/// The kind of a type that openapi-gen knows nothing about. To gengo `rune` is none of the builtin types.
fn unknown_kind(view: View<'_>, of: &TypeRef) -> Option<&'static str> {
    match view.kind(of) {
        kind @ (GoKind::Chan | GoKind::Func | GoKind::Unsupported) => Some(kind.name()),
        GoKind::Builtin if view.scalar(of) == Some(Scalar::Rune) => Some("Unsupported"),
        _ => None,
    }
}
