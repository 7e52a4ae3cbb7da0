//! Forbidden keywords, and forbidden values of keywords.

use kindsmith_json::Path;
use kindsmith_object::BadValue;
use kindsmith_schema::{Items, JsonSchema, SchemaOrBool};

use super::super::demands::{Demands, Refused};
use super::super::faults::Faults;
use super::Inherited;

/// The OpenAPI types, in the order of messages.
const KNOWN_TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];

/// Whether a node has a type that OpenAPI does not know.
pub(in crate::definition) fn has_unknown_type(schema: &JsonSchema) -> bool {
    !schema.ty.is_empty() && !KNOWN_TYPES.contains(&&*schema.ty)
}

pub(super) fn check(
    schema: &JsonSchema,
    path: &Path<'_>,
    inherited: &Inherited<'_>,
    demands: &Demands,
    faults: &mut Faults,
) {
    if demands.known_types && has_unknown_type(schema) {
        faults.not_supported(&path.child("type"), &*schema.ty, &KNOWN_TYPES);
    }
    if let (Some(_), Some(refused)) = (&schema.default, inherited.defaults) {
        faults.forbidden(&path.child("default"), &refused.detail());
    }
    unsupported(schema, path, faults);
    if &*schema.ty == "null" {
        faults.forbidden(
            &path.child("type"),
            "type cannot be set to null, use nullable as an alternative",
        );
    }
    if let Some(Items::Positional(schemas)) = schema.items.as_deref()
        && !schemas.is_empty()
    {
        faults.forbidden(
            &path.child("items"),
            "items must be a schema object and not an array",
        );
    }
    if inherited.resource_meta && schema.embedded_resource {
        faults.forbidden(
            &path.child("x-kubernetes-embedded-resource"),
            "must not be used inside of resource meta",
        );
    }
    if schema.unique_items {
        faults.forbidden(
            &path.child("uniqueItems"),
            "uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
        );
    }
    exclusive_members(schema, path, faults);
}

fn unsupported(schema: &JsonSchema, path: &Path<'_>, faults: &mut Faults) {
    let found = [
        (!schema.id.is_empty(), "id"),
        (schema.additional_items.is_some(), "additionalItems"),
        (!schema.pattern_properties.is_empty(), "patternProperties"),
        (!schema.definitions.is_empty(), "definitions"),
        (!schema.dependencies.is_empty(), "dependencies"),
        (schema.reference.is_some(), "$ref"),
    ];
    for (_, keyword) in found.iter().filter(|(present, _)| *present) {
        faults.forbidden(&path.child(keyword), &format!("{keyword} is not supported"));
    }
}

/// `properties` describe structs and `additionalProperties` maps; a node cannot have both.
fn exclusive_members(schema: &JsonSchema, path: &Path<'_>, faults: &mut Faults) {
    let restricted = match schema.additional_properties.as_deref() {
        Some(SchemaOrBool::Allowed(allowed)) => !allowed,
        Some(SchemaOrBool::Schema(_)) => true,
        None => false,
    };
    if restricted && !schema.properties.is_empty() {
        faults.forbidden(
            &path.child("additionalProperties"),
            "additionalProperties and properties are mutual exclusive",
        );
    }
}

pub(super) fn preserve(schema: &JsonSchema, path: &Path<'_>, faults: &mut Faults) {
    if schema.preserve_unknown_fields == Some(false) {
        let at = path.child("x-kubernetes-preserve-unknown-fields");
        faults.invalid(&at, BadValue::Bool(false), "must be true or undefined");
    }
}

impl Refused<'_> {
    fn detail(self) -> String {
        match self {
            Refused::Everywhere("") => "must not be set".to_owned(),
            Refused::Everywhere(reason) => format!("must not be set {reason}"),
            Refused::TopLevel(name) => format!("must not be set in top-level {name}"),
            Refused::MetadataMap => {
                "must not be set inside additionalProperties applying to object metadata".to_owned()
            }
        }
    }
}
