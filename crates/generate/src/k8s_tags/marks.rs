//! Marks in schemas under construction, in fields that no CRD has.

use kindsmith_schema::JsonSchema;

/// Marks a schema that adds to another.
pub(crate) const ADDITION: &str = "addition";

/// A schema that adds to the one it is merged into.
pub(super) fn addition() -> JsonSchema {
    JsonSchema {
        id: ADDITION.into(),
        ..JsonSchema::default()
    }
}

/// Marks a member whose zero value is its default with or without a tag.
pub(super) const IMPLIED: &str = "implied";
