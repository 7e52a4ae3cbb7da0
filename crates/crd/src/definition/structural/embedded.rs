//! Rules for the root and for embedded resources: the schemas of `apiVersion`, `kind` and `metadata`.

use kindsmith_json::Path;
use kindsmith_schema::{Items, JsonSchema};

use super::super::faults::Faults;
use super::level::Level;

pub(super) fn check(schema: &JsonSchema, level: Level, path: &Path<'_>, faults: &mut Faults) {
    if schema.embedded_resource {
        embedded(schema, path, faults);
    }
    let resource = level == Level::Root || schema.embedded_resource;
    let properties = path.child("properties");
    if resource {
        for name in ["kind", "apiVersion"] {
            typed(schema, name, "string", &properties, faults);
        }
        typed(schema, "metadata", "object", &properties, faults);
    }
    if level == Level::Root
        && let Some(metadata) = schema.property("metadata")
        && says_more_than_names(metadata)
    {
        faults.forbidden(
            &properties.key("metadata"),
            "must not specify anything other than name and generateName, but metadata is implicitly specified",
        );
    }
}

fn embedded(schema: &JsonSchema, path: &Path<'_>, faults: &mut Faults) {
    if schema.additional_properties.is_some() {
        faults.forbidden(
            &path.child("additionalProperties"),
            "must not be used if x-kubernetes-embedded-resource is set",
        );
    }
    if !schema.preserves_unknown_fields() && schema.properties.is_empty() {
        faults.required(
            &path.child("properties"),
            "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
        );
    }
}

fn typed(schema: &JsonSchema, name: &str, wanted: &str, properties: &Path<'_>, faults: &mut Faults) {
    if let Some(property) = schema.property(name)
        && &*property.ty != wanted
    {
        let at = properties.key(name);
        faults.invalid(&at.child("type"), &*property.ty, &format!("must be {wanted}"));
    }
}

/// Whether the root's `metadata` has more than a type, a default (rejected elsewhere), `name` and `generateName`.
fn says_more_than_names(metadata: &JsonSchema) -> bool {
    let only_names = metadata
        .properties
        .iter()
        .all(|(name, _)| matches!(&**name, "name" | "generateName"));
    let mut rest = metadata.clone();
    rest.ty = "".into();
    rest.default = None;
    rest.properties.clear();
    // An empty array of schemas is dropped by the conversion to a structural schema.
    rest.items = rest.items.filter(|items| matches!(**items, Items::Each(_)));
    !only_names || rest != JsonSchema::default()
}
