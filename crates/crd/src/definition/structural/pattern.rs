//! Patterns of schemas.

use kindsmith_gostd::regexp;
use kindsmith_json::Path;
use kindsmith_schema::JsonSchema;

use super::super::faults::Faults;

/// Patterns must compile, also below junctors.
pub(super) fn pattern(schema: &JsonSchema, path: &Path<'_>, faults: &mut Faults) {
    if schema.pattern.is_empty() {
        return;
    }
    if let Err(error) = regexp::check(&schema.pattern) {
        let detail = format!("must be a valid regular expression, but isn't: {error}");
        faults.invalid(&path.child("pattern"), &*schema.pattern, &detail);
    }
}
