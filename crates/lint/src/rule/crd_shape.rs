//! Types controller-gen cannot publish (controller-tools `pkg/crd/schema.go`).

use std::collections::HashSet;

use kindsmith_schema::{Facet, Family, Field, Owner, Package, Scalar, Schema, Shape, TypeId, TypeRef};

use super::Rule;
use crate::Report;
use crate::reach::Reach;
use crate::report::type_then_name;

pub(super) const RULE: Rule = Rule {
    code: "crd-shape",
    docs: include_str!("crd_shape.md"),
    check,
};

/// Switches that custom resources have no use for: such a package is compiled into a server.
const BUILTIN: [&str; 4] = [
    "k8s:protobuf-gen",
    "k8s:prerelease-lifecycle-gen",
    "k8s:conversion-gen",
    "k8s:deepcopy-gen",
];

const NO_INTERFACE: &str = "interface type is not supported in CRD schemas; consider using an explicit type or apiextensionsv1.JSON instead";

fn check(reach: &Reach<'_>, report: &mut Report<'_>) {
    let schema = reach.schema;
    let kinds = schema.kinds().iter().map(|kind| kind.ty);
    let mut open: Vec<TypeId> = kinds.filter(|id| is_custom(schema, *id)).collect();
    let mut seen: HashSet<TypeId> = open.iter().copied().collect();
    while let Some(id) = open.pop() {
        check_type(schema, id, report);
        let mut visit = |of: &TypeRef| {
            of.clone().for_each_named(&mut |id| {
                let ty = schema.ty(*id);
                let is_input = schema
                    .package(&ty.name.package)
                    .is_some_and(|package| package.input);
                if is_input && ty.well_known.is_none() && seen.insert(*id) {
                    open.push(*id);
                }
            });
        };
        match &schema.ty(id).shape {
            Shape::Struct(members) => members.fields.iter().for_each(|field| visit(&field.ty)),
            Shape::Def(target) | Shape::Alias(target) => visit(target),
            Shape::Hole => {}
        }
    }
}

/// Whether a type's package is for custom resources, as far as its markers tell.
fn is_custom(schema: &Schema, id: TypeId) -> bool {
    let package = schema.package(&schema.ty(id).name.package);
    package.is_some_and(|package| !has_marker(package)) || has_crd_rules(schema, id)
}

fn has_marker(package: &Package) -> bool {
    let mut markers = package.options.markers.iter();
    !package.options.validation.is_empty()
        || package.options.model_package.is_some()
        || markers.any(|(name, _)| BUILTIN.contains(&&**name))
}

fn has_crd_rules(schema: &Schema, id: TypeId) -> bool {
    let marked = |name: &str| name.starts_with("kubebuilder:");
    schema.ty(id).options.markers.iter().any(|(name, _)| marked(name))
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
            let text = format!(
                "encountered struct field {:?} without JSON tag in type {:?}",
                &*field.name, &*ty.name.name
            );
            say(report, owner, &text);
        } else if !is_schemaless(field)
            && let Some(text) = problem(schema, &field.ty, 0)
        {
            say(report, owner, &text);
        }
    }
}

fn is_schemaless(field: &Field) -> bool {
    let mut rules = field.rules.iter();
    rules.any(|rule| rule.family == Family::Kubebuilder && rule.facet == Facet::Schemaless)
}

fn say(report: &mut Report<'_>, owner: Owner, text: &str) {
    report.error(&type_then_name(owner), text, |finding| {
        finding.upstream(format!("controller-gen: {text}"))
    });
}

/// Types are as deep as their text.
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
