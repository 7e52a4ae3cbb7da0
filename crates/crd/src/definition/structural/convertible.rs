//! Whether a schema can be converted to a structural one (`NewStructural`).

use kindsmith_schema::JsonSchema;
use kindsmith_structural::NotStructural;

use super::super::known::{Check, Known};

/// Checks a schema within the nesting limit, as [`NotStructural::check`] does.
pub(in crate::definition) fn check(schema: &JsonSchema, known: &Known) -> Result<(), NotStructural> {
    NotStructural::check_node(schema)?;
    if let Some(item) = schema.item() {
        check(item, known)?;
    }
    let mut members = Ok(());
    known.once(Check::Convertible, &schema.properties, || {
        members = schema
            .properties
            .iter()
            .try_for_each(|(_, member)| check(member, known));
        members.is_ok()
    });
    members?;
    schema.additional().map_or(Ok(()), |values| check(values, known))
}
