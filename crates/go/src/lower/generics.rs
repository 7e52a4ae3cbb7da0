//! Generic structs that openapi-gen rejects. They are in the schema only where they are used, so later stages
//! do not see their declarations.

use std::sync::Arc;

use kindsmith_schema::{JsonTag, Schema};
use kindsmith_source::Diagnostic;

use super::struct_tag;
use crate::finding;
use crate::package::Package;
use crate::syntax::{Field, File, TypeDecl, TypeKind, string_value};

/// Fields of a type parameter's type, in packages that openapi-gen publishes (kube-openapi `mustEnforceDefault`).
pub(crate) fn unpublished(packages: &[Arc<Package>], schema: &Schema) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for package in packages {
        let options = schema.package(&package.path).map(|package| &package.options);
        if options.is_none_or(|options| options.openapi != Some(true)) {
            continue;
        }
        for (file, decl) in package.types().filter(|(_, decl)| !decl.type_params.is_empty()) {
            check(&package.path, file, decl, &mut found);
        }
    }
    found
}

fn check(package: &str, file: &File, decl: &TypeDecl, found: &mut Vec<Diagnostic>) {
    let (body, ty) = file.opened(decl.ty);
    let TypeKind::Struct(fields) = ty.kind else {
        return;
    };
    let params = file.type_params(decl.type_params).iter();
    let params: Vec<&str> = params.map(|param| file.text(param.name)).collect();
    for field in body
        .fields(fields)
        .iter()
        .filter(|field| is_property(file, field))
    {
        let ty = body.ty(field.ty);
        if !matches!(ty.kind, TypeKind::Name) || !params.contains(&file.text(ty.span)) {
            continue;
        }
        let text = "not sure how to enforce default for TypeParam";
        let upstream = format!(
            "OpenAPI code generation error: failed executing generator: some targets had errors: failed to generate \
             default in {package}.{}[{}]: {}: {text}",
            file.text(decl.name),
            params.join(","),
            file.text(field.name)
        );
        found.push(
            Diagnostic::error(&finding::OPENAPI_GENERIC, ty.span, text)
                .help("openapi-gen publishes generic lists and maps, but no generic structs")
                .upstream(upstream),
        );
    }
}

/// Whether openapi-gen publishes the field as a property.
fn is_property(file: &File, field: &Field) -> bool {
    let tag = field.tag.and_then(|span| string_value(file.text(span)));
    let json = tag.as_deref().and_then(|tag| {
        let value = struct_tag::pairs(tag).find(|(key, _)| *key == "json")?.1;
        Some(JsonTag::parse(&string_value(value)?))
    });
    json.is_none_or(|json| !json.name.is_empty() && &*json.name != "-")
}
