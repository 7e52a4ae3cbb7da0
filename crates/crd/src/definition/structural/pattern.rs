//! Patterns of schemas.

use kindsmith_gostd::regexp;
use kindsmith_json::Path;
use kindsmith_schema::JsonSchema;

use super::super::faults::Faults;
use super::super::known::Known;

/// Patterns must compile, also below junctors.
pub(super) fn pattern(schema: &JsonSchema, path: &Path<'_>, known: &Known, faults: &mut Faults) {
    if schema.pattern.is_empty() || known.has_pattern(&schema.pattern) {
        return;
    }
    match regexp::check(&schema.pattern) {
        Ok(()) => known.add_pattern(&schema.pattern),
        Err(error) => {
            let detail = format!("must be a valid regular expression, but isn't: {error}");
            faults.invalid(&path.child("pattern"), &*schema.pattern, &detail);
        }
    }
}
