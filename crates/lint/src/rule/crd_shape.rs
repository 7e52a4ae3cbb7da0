//! Types controller-gen cannot publish (controller-tools `pkg/crd/schema.go`).

use kindsmith_schema::{Facet, Family, Field, Owner, Scalar, Schema, Shape, TypeId, TypeRef, WellKnown};
use kindsmith_source::{Finding, Tool};

use super::Rule;
use crate::Report;
use crate::reach::Reach;
use crate::report::type_then_name;

pub(super) const RULE: Rule = Rule::reach(
    Finding::new("crd-shape", Tool::ControllerGen, include_str!("crd_shape.md")),
    check,
);

const NO_INTERFACE: &str = "interface type is not supported in CRD schemas; consider using an explicit type or apiextensionsv1.JSON instead";

fn check(reach: &Reach<'_>, report: &mut Report<'_>) {
    for id in crate::custom::types(reach.schema) {
        check_type(reach.schema, id, report);
    }
}

fn check_type(schema: &Schema, id: TypeId, report: &mut Report<'_>) {
    let ty = schema.ty(id);
    if ty.anonymous || ty.has_method("MarshalJSON") || ty.has_method("MarshalText") {
        return;
    }
    if let Shape::Def(TypeRef::Interface | TypeRef::Any { .. }) = &ty.shape {
        say(report, Owner::Type(id), NO_INTERFACE);
    }
    for (field_id, field) in schema.fields(id) {
        let owner = Owner::Field(field_id);
        if field.json.skip {
            continue;
        }
        if !field.json.present {
            say(report, owner, &without_tag(&field.name, &ty.name.name));
        } else if !is_schemaless(field)
            && let Some(text) = problem(schema, &field.ty, 0)
        {
            say(report, owner, &text);
        }
    }
}

fn without_tag(field: &str, ty: &str) -> String {
    format!("encountered struct field {field:?} without JSON tag in type {ty:?}")
}

fn is_schemaless(field: &Field) -> bool {
    let mut rules = field.rules.iter();
    rules.any(|rule| rule.family == Family::Kubebuilder && rule.facet == Facet::Schemaless)
}

fn say(report: &mut Report<'_>, owner: Owner, text: &str) {
    let mut upstream = format!("controller-gen: {text}");
    let of_time = text == without_tag("wall", "Time");
    if of_time {
        // controller-gen looks into the standard library, where fields have no tags.
        for field in ["ext", "loc"] {
            upstream += &format!("\n{}", without_tag(field, "Time"));
        }
    }
    report.error(&type_then_name(owner), text, |finding| {
        let finding = finding.upstream(upstream);
        if of_time {
            finding.help("use `metav1.Time`, which is encoded as RFC 3339 text")
        } else {
            finding
        }
    });
}

/// The depth limit of types.
const MAX_DEPTH: usize = 64;

/// Why controller-gen cannot publish a use of a type.
fn problem(schema: &Schema, of: &TypeRef, depth: usize) -> Option<String> {
    if depth > MAX_DEPTH {
        return None;
    }
    match of {
        TypeRef::Any { spelled_out: false } => Some(
            "cannot generate schema for any; interface type is not supported in CRD schemas, consider using an \
             explicit type or apiextensionsv1.JSON instead"
                .to_owned(),
        ),
        TypeRef::Any { .. } | TypeRef::Interface => Some(NO_INTERFACE.to_owned()),
        TypeRef::Pointer(inner) | TypeRef::List(inner) | TypeRef::Array(_, inner) => {
            problem(schema, inner, depth + 1)
        }
        TypeRef::Map(key, value) => map_problem(schema, key, value, depth),
        TypeRef::Unsupported { kind, .. } if matches!(*kind, "Chan" | "Func") => {
            Some(format!("unsupported AST kind *ast.{kind}Type"))
        }
        TypeRef::Named(id) => {
            let ty = schema.ty(*id);
            match &ty.shape {
                _ if ty.anonymous => {
                    Some("inline struct types are not supported, use a named type instead".to_owned())
                }
                _ if ty.well_known == Some(WellKnown::GoTime) => Some(without_tag("wall", "Time")),
                _ if ty.name.name.contains('[') => Some("unsupported AST kind *ast.IndexExpr".to_owned()),
                Shape::Alias(TypeRef::Map(..)) => Some(format!(
                    "unsupported type *types.Map for identifier {}",
                    ty.name.name
                )),
                Shape::Alias(TypeRef::List(_)) => Some(format!(
                    "unsupported type *types.Slice for identifier {}",
                    ty.name.name
                )),
                _ => None,
            }
        }
        TypeRef::Scalar(_) | TypeRef::Unsupported { .. } => None,
    }
}

fn map_problem(schema: &Schema, key: &TypeRef, value: &TypeRef, depth: usize) -> Option<String> {
    let view = schema.view();
    let writes_text = matches!(key, TypeRef::Named(id) if schema.ty(*id).has_method("MarshalText"));
    if let Some(scalar) = view
        .scalar(key)
        .filter(|scalar| *scalar != Scalar::String && !writes_text)
    {
        return Some(format!(
            "map keys must be strings or implement encoding.TextMarshaler, not {}",
            scalar.name()
        ));
    }
    match value {
        TypeRef::Any { spelled_out: true } | TypeRef::Interface => Some(
            "interface type is not supported as map value in CRD schemas; consider using an explicit type or \
             apiextensionsv1.JSON instead"
                .to_owned(),
        ),
        TypeRef::Unsupported { kind, .. } if matches!(*kind, "Chan" | "Func") => {
            Some(format!("not a supported map value type: *ast.{kind}Type"))
        }
        TypeRef::Named(id) if schema.ty(*id).anonymous => {
            Some("not a supported map value type: *ast.StructType".to_owned())
        }
        _ => problem(schema, value, depth + 1),
    }
}
