//! Enums of texts.

use kindsmith_schema::JsonSchema;

/// Whether a schema allows texts and nothing else.
pub(super) fn is_enum(schema: &JsonSchema) -> bool {
    !schema.enum_values.is_empty() && texts(schema).len() == schema.enum_values.len()
}

/// The allowed texts.
pub(super) fn texts(schema: &JsonSchema) -> Vec<String> {
    let arena = kindsmith_json::Arena::new();
    let values = schema.enum_values.iter();
    values
        .filter_map(|value| value.value(&arena).as_str().map(str::to_owned))
        .collect()
}
