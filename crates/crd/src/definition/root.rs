//! Rules for the root of a schema.

use kindsmith_json::Path;
use kindsmith_object::BadValue;
use kindsmith_openapi::crd::print_schema;
use kindsmith_schema::JsonSchema;

use super::faults::Faults;

/// The keywords that may be on the root when there is a status subresource, as messages list them.
const WITH_STATUS: &str = "[Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength \
                           MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties \
                           ExternalDocs Example XPreserveUnknownFields XValidations]";

pub(super) fn check(schema: &JsonSchema, path: &Path<'_>, status_enabled: bool, faults: &mut Faults) {
    if status_enabled {
        with_status(schema, path, faults);
    }
    if schema.nullable {
        faults.forbidden(&path.child("nullable"), "nullable cannot be true at the root");
    }
}

/// Reports the first other keyword, in the field order of the internal type.
fn with_status(schema: &JsonSchema, path: &Path<'_>, faults: &mut Faults) {
    let before_type = !schema.id.is_empty() || !schema.schema.is_empty() || schema.reference.is_some();
    if !before_type && !schema.ty.is_empty() && &*schema.ty != "object" {
        let detail = "only \"object\" is allowed as the type at the root of the schema if the status subresource is enabled";
        faults.invalid(&path.child("type"), &*schema.ty, detail);
        return;
    }
    if before_type || says_more(schema) {
        let detail = format!(
            "only {WITH_STATUS} fields are allowed at the root of the schema if the status subresource is enabled"
        );
        let bad = BadValue::Json(print_schema(schema).into());
        faults.invalid(path, bad, &detail);
    }
}

fn says_more(schema: &JsonSchema) -> bool {
    schema.nullable
        || schema.default.is_some()
        || !schema.enum_values.is_empty()
        || schema.max_properties.is_some()
        || schema.min_properties.is_some()
        || !schema.all_of.is_empty()
        || !schema.one_of.is_empty()
        || !schema.any_of.is_empty()
        || schema.not.is_some()
        || schema.additional_properties.is_some()
        || !schema.pattern_properties.is_empty()
        || !schema.dependencies.is_empty()
        || schema.additional_items.is_some()
        || !schema.definitions.is_empty()
        || schema.embedded_resource
        || schema.int_or_string
        || !schema.list_map_keys.is_empty()
        || schema.list_type.is_some()
        || schema.map_type.is_some()
}
