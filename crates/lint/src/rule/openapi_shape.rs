//! Types without a schema in openapi-gen (kube-openapi `pkg/generators/openapi.go`).

use kindsmith_schema::{Field, GoKind, Owner, Part, Scalar, Shape, TypeRef, View, WellKnown};
use kindsmith_source::{Finding, Tool};

use super::Rule;
use crate::Report;
use crate::reach::Reach;
use crate::report::type_then_name;

pub(super) const RULE: Rule = Rule::reach(
    Finding::new(
        "openapi-shape",
        Tool::OpenApiGen,
        include_str!("openapi_shape.md"),
    ),
    check,
);

/// The prefix of openapi-gen's errors.
pub(super) const FAILED: &str =
    "OpenAPI code generation error: failed executing generator: some targets had errors: ";

fn check(reach: &Reach<'_>, report: &mut Report<'_>) {
    let schema = reach.schema;
    check_one_of(reach, report);
    for id in crate::published::with_members(schema) {
        let ty = schema.ty(id);
        for (field_id, field) in schema.fields(id).filter(|(_, field)| is_property(field)) {
            let Some((while_doing, text)) = problem(reach.view(), field) else {
                continue;
            };
            let place = match while_doing {
                "" => String::new(),
                _ => format!(
                    "failed to generate {while_doing} in {}: {}: ",
                    ty.name, field.name
                ),
            };
            let upstream = format!("{FAILED}{place}{text}");
            report.error(&type_then_name(Owner::Field(field_id)), text, |finding| {
                finding
                    .upstream(upstream)
                    .help("API types hold data that JSON can carry")
            });
        }
    }
}

/// Types with a one-of description for version 3 but none for version 2.
fn check_one_of(reach: &Reach<'_>, report: &mut Report<'_>) {
    for id in crate::published::with_members(reach.schema) {
        let ty = reach.schema.ty(id);
        if !ty.has_method("OpenAPIV3OneOfTypes") || !matches!(ty.shape, Shape::Struct(_)) {
            continue;
        }
        let text = format!(
            "type {:?} has v3 one of types but not v2 type or format",
            ty.name.to_string()
        );
        let upstream = format!("{FAILED}{text}");
        report.error(&[Owner::Type(id).part(Part::Name)], text, |finding| {
            finding
                .upstream(upstream)
                .help("add the methods `OpenAPISchemaType` and `OpenAPISchemaFormat`")
        });
    }
}

/// Whether the field becomes a property of its own; fields encoded as strings are not checked.
fn is_property(field: &Field) -> bool {
    field.openapi_name().is_some() && !field.json.string_first && !field.is_openapi_hidden()
}

/// Longer chains of typedefs and pointers are circular.
const MAX_LINKS: usize = 64;

/// openapi-gen's context, and why it stopped.
fn problem(view: View<'_>, field: &Field) -> Option<(&'static str, String)> {
    if let Some(text) = no_zero(view, field) {
        return Some(("default", text));
    }
    let of = resolved(view, &field.ty);
    let shown = || view.text(of);
    match view.kind(of) {
        _ if is_simple(view, of) => None,
        GoKind::Map => Some(("map property", in_map(view, of)?)),
        GoKind::Slice | GoKind::Array => Some(("slice property", in_list(view, of)?)),
        GoKind::Builtin if !is_rune(view, of) => Some(("", unknown_scalar(view, of))),
        GoKind::Builtin | GoKind::Chan | GoKind::Func | GoKind::Unsupported => {
            Some(("", format!("cannot generate spec for type {}", shown())))
        }
        _ => None,
    }
}

/// Why there is no zero value to publish as the default of a field that cannot be absent
/// (`mustEnforceDefault`).
fn no_zero(view: View<'_>, field: &Field) -> Option<String> {
    let of = &field.ty;
    match (view.kind(of), view.scalar(of)) {
        (GoKind::Builtin | GoKind::Alias, Some(Scalar::Uintptr)) if !field.json.omitempty => {
            Some(unknown_scalar(view, view.underlying(of)))
        }
        (GoKind::Builtin | GoKind::Alias, Some(Scalar::Rune)) => {
            Some("not sure how to enforce default for Unsupported".to_owned())
        }
        (kind @ (GoKind::Chan | GoKind::Func | GoKind::Unsupported), _) => {
            Some(format!("not sure how to enforce default for {}", kind.name()))
        }
        _ => None,
    }
}

fn in_map(view: View<'_>, of: &TypeRef) -> Option<String> {
    let TypeRef::Map(key, value) = view.underlying(of) else {
        return None;
    };
    let key = resolved(view, key);
    // Nothing is known about a type whose package was not found; that is a finding already.
    if view.kind(key) == GoKind::Unknown {
        return None;
    }
    if view.scalar(key) != Some(Scalar::String) {
        return Some(format!(
            "map with non-string keys are not supported by OpenAPI in {}",
            view.text(of)
        ));
    }
    in_element(view, value, "map", of)
}

fn in_list(view: View<'_>, of: &TypeRef) -> Option<String> {
    let (TypeRef::List(element) | TypeRef::Array(_, element)) = view.underlying(of) else {
        return None;
    };
    in_element(view, element, "slice", of)
}

fn in_element(view: View<'_>, element: &TypeRef, what: &str, of: &TypeRef) -> Option<String> {
    let element = resolved(view, element);
    match view.kind(element) {
        _ if is_simple(view, element) => None,
        GoKind::Struct | GoKind::Unknown => None,
        GoKind::Slice | GoKind::Array => in_list(view, element),
        GoKind::Map => in_map(view, element),
        GoKind::Builtin if !is_rune(view, element) => Some(unknown_scalar(view, element)),
        kind => {
            let kind = if is_rune(view, element) {
                "Unsupported"
            } else {
                kind.name()
            };
            Some(format!(
                "{what} Element kind {kind} is not supported in {}",
                view.text(of)
            ))
        }
    }
}

/// The type with typedefs and pointers resolved (`resolveAliasAndPtrType`).
fn resolved<'a>(view: View<'a>, mut of: &'a TypeRef) -> &'a TypeRef {
    for _ in 0..MAX_LINKS {
        of = view.unalias(of);
        of = match (view.kind(of), view.underlying(of)) {
            (GoKind::Pointer, TypeRef::Pointer(inner)) => inner,
            (GoKind::Alias, underlying) => underlying,
            _ => return of,
        };
    }
    of
}

/// Whether the type has a type and format of its own (`OpenAPITypeFormat`). Here `any` and `interface{}`
/// differ.
fn is_simple(view: View<'_>, of: &TypeRef) -> bool {
    match of {
        TypeRef::Scalar(scalar) => !matches!(scalar, Scalar::Uintptr | Scalar::Rune),
        TypeRef::Any { spelled_out } => *spelled_out,
        TypeRef::List(element) => matches!(
            view.unalias(element),
            TypeRef::Scalar(Scalar::Byte | Scalar::Uint8 | Scalar::Int8)
        ),
        TypeRef::Named(id) => view.ty(*id).well_known == Some(WellKnown::GoTime),
        _ => false,
    }
}

/// gengo does not treat `rune` as a builtin type.
fn is_rune(view: View<'_>, of: &TypeRef) -> bool {
    view.scalar(of) == Some(Scalar::Rune)
}

fn unknown_scalar(view: View<'_>, of: &TypeRef) -> String {
    format!(
        "please add type {} to getOpenAPITypeFormat function",
        view.text(of)
    )
}
