//! The schema as a JSON document. Empty members are left out.

use kindsmith_schema::{
    Column, Constant, Default, Exclusion, Family, Field, Kind, Package, Rule, Schema, Scope, Shape, Type,
    TypeOptions, Wrap,
};
use serde_json::{Map, Value, json};

use crate::output::pretty;

/// The packages of a schema that `shown` picks by their import path.
pub(super) fn document(schema: &Schema, shown: impl Fn(&str) -> bool) -> String {
    let packages = schema
        .packages()
        .iter()
        .filter(|package| shown(&package.path))
        .map(package);
    let kinds = schema
        .kinds()
        .iter()
        .filter(|kind| shown(&schema.ty(kind.ty).name.package));
    let types = schema.types().filter(|(_, ty)| shown(&ty.name.package));
    pretty(&json!({
        "packages": packages.collect::<Value>(),
        "kinds": kinds.map(|of| kind(schema, of)).collect::<Value>(),
        "types": types.map(|(_, of)| ty(schema, of)).collect::<Value>(),
    }))
}

/// An object without empty members.
fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    let says_something = |value: &Value| match value {
        Value::Null | Value::Bool(false) => false,
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
        _ => true,
    };
    let members = members.into_iter().filter(|(_, value)| says_something(value));
    Value::Object(
        members
            .map(|(key, value)| (key.to_owned(), value))
            .collect::<Map<_, _>>(),
    )
}

fn package(of: &Package) -> Value {
    object([
        ("path", json!(*of.path)),
        ("name", json!(*of.name)),
        ("input", json!(of.input)),
        ("group", json!(of.group.as_deref())),
        ("version", json!(of.version.as_deref())),
        (
            "functions",
            of.functions
                .iter()
                .map(|function| json!(*function.name))
                .collect(),
        ),
    ])
}

fn kind(schema: &Schema, of: &Kind) -> Value {
    object([
        ("group", json!(*of.group)),
        ("version", json!(*of.version)),
        ("kind", json!(*of.kind)),
        ("type", json!(schema.ty(of.ty).name.to_string())),
        ("plural", json!(of.names.plural.as_deref())),
        ("singular", json!(of.names.singular.as_deref())),
        (
            "shortNames",
            of.names.short.iter().map(|name| json!(**name)).collect(),
        ),
        (
            "categories",
            of.names.categories.iter().map(|name| json!(**name)).collect(),
        ),
        (
            "scope",
            json!(if of.scope == Scope::Cluster {
                "Cluster"
            } else {
                "Namespaced"
            }),
        ),
        ("unserved", json!(!of.served)),
        ("storage", json!(of.storage)),
        ("skipped", json!(of.skipped)),
        ("deprecated", json!(of.deprecated.is_some())),
        ("status", json!(of.subresources.status)),
        (
            "scale",
            of.subresources.scale.as_ref().map_or(Value::Null, |scale| {
                json!({
                    "specPath": *scale.spec_path,
                    "statusPath": *scale.status_path,
                    "selectorPath": scale.selector_path.as_deref(),
                })
            }),
        ),
        ("columns", of.columns.iter().map(column).collect()),
        (
            "selectableFields",
            of.selectable_fields.iter().map(|path| json!(**path)).collect(),
        ),
    ])
}

fn column(of: &Column) -> Value {
    object([
        ("name", json!(*of.name)),
        ("type", json!(*of.ty)),
        ("jsonPath", json!(*of.json_path)),
        ("description", json!(of.description.as_deref())),
        ("format", json!(of.format.as_deref())),
        (
            "priority",
            if of.priority == 0 {
                Value::Null
            } else {
                json!(of.priority)
            },
        ),
    ])
}

fn ty(schema: &Schema, of: &Type) -> Value {
    let (shape, target) = match &of.shape {
        Shape::Struct(_) => ("struct", None),
        Shape::Def(target) => ("def", Some(target)),
        Shape::Alias(target) => ("alias", Some(target)),
        Shape::Hole => ("hole", None),
    };
    object([
        ("package", json!(*of.name.package)),
        ("name", json!(*of.name.name)),
        ("shape", json!(shape)),
        ("of", json!(target.map(|target| schema.view().text(target)))),
        (
            "wellKnown",
            json!(of.well_known.map(|known| format!("{known:?}"))),
        ),
        ("anonymous", json!(of.anonymous)),
        ("default", default(of.default.as_ref())),
        ("rules", of.rules.iter().map(rule).collect()),
        ("fields", of.fields().iter().map(|of| field(schema, of)).collect()),
        ("constants", of.constants.iter().map(constant).collect()),
        (
            "methods",
            of.methods.iter().map(|method| json!(*method.name)).collect(),
        ),
        ("options", options(&of.options)),
    ])
}

fn options(of: &TypeOptions) -> Value {
    object([
        ("validation", json!(of.validation)),
        ("noLint", json!(of.no_lint)),
        ("isSubresource", json!(of.is_subresource.as_deref())),
        (
            "supportsSubresources",
            of.supports_subresources
                .iter()
                .map(|path| json!(**path))
                .collect(),
        ),
        ("defaulter", json!(of.defaulter)),
        ("openapi", json!(of.openapi)),
        ("modelPackage", json!(of.model_package.as_deref())),
        ("markers", markers(&of.markers)),
    ])
}

fn markers(of: &[(kindsmith_schema::Str, kindsmith_schema::Str)]) -> Value {
    of.iter()
        .map(|(name, value)| json!({"name": **name, "value": **value}))
        .collect()
}

fn field(schema: &Schema, of: &Field) -> Value {
    object([
        ("name", json!(*of.name)),
        ("json", json!(of.json_name())),
        ("inline", json!(of.is_inline())),
        ("type", json!(schema.view().text(&of.ty))),
        ("omitempty", json!(of.json.omitempty)),
        ("omitzero", json!(of.json.omitzero)),
        ("default", default(of.default.as_ref())),
        ("rules", of.rules.iter().map(rule).collect()),
        ("patchStrategy", json!(of.patch.strategy.as_deref())),
        ("patchMergeKey", json!(of.patch.merge_key.as_deref())),
        ("protobuf", json!(of.protobuf.as_deref())),
        ("markers", markers(&of.markers)),
    ])
}

fn constant(of: &Constant) -> Value {
    let exclusion = |exclusion: &Exclusion| match exclusion {
        Exclusion::Always => json!({"always": true}),
        Exclusion::When { option, enabled } => json!({"option": **option, "enabled": enabled}),
    };
    object([
        ("name", json!(*of.name)),
        ("value", of.value.as_ref().map_or(Value::Null, parsed)),
        ("excluded", of.exclusions.iter().map(exclusion).collect()),
    ])
}

fn default(of: Option<&Default>) -> Value {
    match of {
        None => Value::Null,
        Some(Default::Value(value)) => json!({"value": parsed(value)}),
        Some(Default::Ref { package, name, value }) => object([
            ("ref", json!(format!("{package}.{name}"))),
            ("value", value.as_ref().map_or(Value::Null, parsed)),
        ]),
    }
}

fn parsed(of: &kindsmith_schema::Json) -> Value {
    serde_json::from_str(of.as_str()).unwrap_or_else(|_| json!(of.as_str()))
}

/// The names of the published schema.
fn family(of: Family) -> &'static str {
    match of {
        Family::Declarative => "Native",
        Family::OpenApi => "OpenApi",
        Family::Kubebuilder => "Kubebuilder",
    }
}

fn rule(of: &Rule) -> Value {
    object([
        ("family", json!(family(of.family))),
        ("rule", json!(of.facet.name())),
        ("level", json!(of.level().name())),
        (
            "wraps",
            of.wraps
                .iter()
                .map(|wrap: &Wrap| json!(wrap.to_string()))
                .collect(),
        ),
        ("text", json!(of.to_string())),
    ])
}
