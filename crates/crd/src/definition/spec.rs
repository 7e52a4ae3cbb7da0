//! `spec` of a CRD, in the order of the API server (`validateCustomResourceDefinitionSpec`).

use kindsmith_json::Path;
use kindsmith_object::BadValue;
use kindsmith_openapi::crd::{InternalSpec, Subresources, Validation, Version};
use kindsmith_schema::JsonSchema;

use super::demands::Demands;
use super::faults::Faults;
use super::known::Known;
use super::visit::any_schema;
use super::{
    columns, conversion_strategy, deprecation, names, schema, selectable, structural, subresources, versions,
};

pub(super) fn check(
    spec: &InternalSpec,
    demands: &Demands,
    known: &Known,
    path: &Path<'_>,
    faults: &mut Faults,
) {
    group(&spec.group, &path.child("group"), faults);
    scope(&spec.scope, &path.child("scope"), faults);
    let mut demands = demands.clone();
    let demands = &mut demands;
    // Pruning needs a structural schema.
    demands.structural |= spec.preserve_unknown_fields != Some(true);
    present_schemas(spec, demands, path, faults);
    // Schemas are large, so they are only searched when the answer matters.
    let prunes = spec.preserve_unknown_fields == Some(false);
    let matters = demands.defaults.is_none() && !(demands.structural && prunes);
    if matters && any_schema(spec, |node| node.default.is_some()) {
        demands.structural = true;
        if !prunes {
            let detail = "must be false in order to use defaults in the schema";
            faults.invalid(&path.child("preserveUnknownFields"), BadValue::Bool(true), detail);
        }
    }
    demands.structural = demands.structural || any_schema(spec, schema::has_extensions);
    for (index, version) in spec.versions.iter().enumerate() {
        let list = path.child("versions");
        let at = list.index(index);
        names::version(&version.name, &at.child("name"), faults);
        let subresources = version_subresources(spec, &version.name);
        check_version(
            version,
            has_status(subresources),
            &demands.for_version(&version.name),
            known,
            &at,
            faults,
        );
    }
    versions::check(spec, path, faults);
    let names_at = path.child("names");
    names::required(&spec.names, &names_at, faults);
    names::check(&spec.names, &names_at, faults);
    shared(spec, demands, known, path, faults);
    conversion_strategy::check(spec, demands, &path.child("conversion"), faults);
}

/// Validates what all versions share.
fn shared(spec: &InternalSpec, demands: &Demands, known: &Known, path: &Path<'_>, faults: &mut Faults) {
    if let Some(validation) = &spec.validation {
        let status = has_any_status(spec);
        let demands = demands.for_version(&spec.version);
        let at = path.child("validation");
        schema::check(validation, status, &demands, known, &at, faults);
    }
    subresources::check(spec.subresources.as_ref(), &path.child("subresources"), faults);
    columns::check(
        &spec.additional_printer_columns,
        &path.child("additionalPrinterColumns"),
        faults,
    );
    if spec.selectable_fields.is_empty() {
        return;
    }
    let at = path.child("selectableFields");
    match &spec.validation {
        None => faults.invalid(&at, "", "may only be set when validations.schema is included"),
        Some(validation) => {
            let schema_at = path.child("schema");
            let target = Target {
                validation,
                schema: &schema_at.child("openAPIV3Schema"),
                fields: &at,
            };
            select(&spec.selectable_fields, &target, "", demands, known, faults);
        }
    }
}

fn check_version(
    version: &Version,
    status: bool,
    demands: &Demands,
    known: &Known,
    path: &Path<'_>,
    faults: &mut Faults,
) {
    deprecation::check(version, path, faults);
    let schema_at = path.child("schema");
    if let Some(validation) = &version.schema {
        schema::check(validation, status, demands, known, &schema_at, faults);
    }
    subresources::check(version.subresources.as_ref(), &path.child("subresources"), faults);
    columns::check(
        &version.additional_printer_columns,
        &path.child("additionalPrinterColumns"),
        faults,
    );
    if version.selectable_fields.is_empty() {
        return;
    }
    let at = path.child("selectableFields");
    match version
        .schema
        .as_ref()
        .filter(|validation| validation.open_api_v3_schema.is_some())
    {
        // The "not" in this message is upstream's mistake.
        None => faults.invalid(
            &at,
            "",
            "may only be set when `version.schema.openAPIV3Schema` is not included",
        ),
        Some(validation) => {
            let target = Target {
                validation,
                schema: &schema_at.child("openAPIV3Schema"),
                fields: &at,
            };
            select(
                &version.selectable_fields,
                &target,
                &version.name,
                demands,
                known,
                faults,
            );
        }
    }
}

/// The schema that selectable fields refer to, and the paths of both.
struct Target<'p> {
    validation: &'p Validation,
    schema: &'p Path<'p>,
    fields: &'p Path<'p>,
}

/// `ValidateCustomResourceSelectableFields` in apiextensions-apiserver's pkg/apis/apiextensions/validation/validation.go.
fn select(
    fields: &[kindsmith_openapi::crd::SelectableField],
    target: &Target<'_>,
    version: &str,
    demands: &Demands,
    known: &Known,
    faults: &mut Faults,
) {
    // Fields of a schema that cannot be converted are checked all the same; a path into it makes the reference panic.
    let none = JsonSchema::default();
    let mut schema = target.validation.open_api_v3_schema.as_deref().unwrap_or(&none);
    if let Err(failure) = structural::convertible::check(schema, known) {
        faults.invalid(target.schema, "", &failure.to_string());
        schema = &none;
    }
    selectable::check(fields, schema, target.fields, version, demands, faults);
}

fn group(group: &str, at: &Path<'_>, faults: &mut Faults) {
    let problems = names::subdomain(group);
    if group.is_empty() {
        faults.required(at, "");
    } else if !problems.is_empty() {
        faults.invalid(at, group, &problems.join(","));
    } else if !group.contains('.') {
        faults.invalid(at, group, "should be a domain with at least one dot");
    }
}

fn scope(scope: &str, at: &Path<'_>, faults: &mut Faults) {
    const SCOPES: [&str; 2] = ["Cluster", "Namespaced"];
    if scope.is_empty() {
        faults.required(at, "");
    } else if !SCOPES.contains(&scope) {
        faults.not_supported(at, scope, &SCOPES);
    }
}

fn present_schemas(spec: &InternalSpec, demands: &Demands, path: &Path<'_>, faults: &mut Faults) {
    let shared = spec.validation.as_ref();
    if shared.is_some_and(|validation| validation.open_api_v3_schema.is_some()) {
        return;
    }
    let prunes = spec.preserve_unknown_fields != Some(true);
    let list = path.child("versions");
    for (index, version) in spec.versions.iter().enumerate() {
        let detail = if demands.schemas {
            ""
        } else if prunes && version.served {
            "because otherwise all fields are pruned"
        } else {
            continue;
        };
        if version.open_api_v3_schema().is_none() {
            let at = list.index(index);
            let at = at.child("schema");
            faults.required(&at.child("openAPIV3Schema"), detail);
        }
    }
}

fn has_status(subresources: Option<&Subresources>) -> bool {
    subresources.is_some_and(|subresources| subresources.status.is_some())
}

fn has_any_status(spec: &InternalSpec) -> bool {
    has_status(spec.subresources.as_ref())
        || spec
            .versions
            .iter()
            .any(|version| has_status(version.subresources.as_ref()))
}

/// The subresources of the first version with this name, or those shared by all versions.
fn version_subresources<'s>(spec: &'s InternalSpec, name: &str) -> Option<&'s Subresources> {
    if spec.versions.iter().all(|version| version.subresources.is_none()) {
        return spec.subresources.as_ref();
    }
    let version = spec.versions.iter().find(|version| &*version.name == name)?;
    version.subresources.as_ref()
}

/// Rejects changes: group and plural are part of the CRD's name, scope and kind determine what is stored.
pub(super) fn immutable(
    spec: &InternalSpec,
    old: &InternalSpec,
    demands: &Demands,
    path: &Path<'_>,
    faults: &mut Faults,
) {
    const DETAIL: &str = "field is immutable";
    let names = path.child("names");
    if demands.immutable_names {
        if spec.scope != old.scope {
            faults.invalid(&path.child("scope"), BadValue::json_text(&spec.scope), DETAIL);
        }
        if spec.names.kind != old.names.kind {
            faults.invalid(&names.child("kind"), &*spec.names.kind, DETAIL);
        }
    }
    if spec.group != old.group {
        faults.invalid(&path.child("group"), &*spec.group, DETAIL);
    }
    if spec.names.plural != old.names.plural {
        faults.invalid(&names.child("plural"), &*spec.names.plural, DETAIL);
    }
}
