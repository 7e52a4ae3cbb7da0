//! Whether a schema is structural: every value has a known path and type. Ignores defaults and expressions.

mod complete;
pub(super) mod convertible;
mod embedded;
mod invariants;
mod level;
mod nested;
mod pattern;

use kindsmith_json::Path;
use kindsmith_schema::JsonSchema;
use kindsmith_structural::NotStructural;

use super::faults::Faults;
use super::known::Known;
use level::Level;

/// The violations in a convertible schema, sorted by message (`ValidateStructural`).
pub(super) fn violations(path: &Path<'_>, schema: &JsonSchema, known: &Known) -> Faults {
    let mut faults = Faults::default();
    invariants::check(schema, Level::Root, path, known, &mut faults);
    complete::check(schema, path, &mut faults);
    faults.sort_by_text();
    faults
}

/// Whether a schema can be converted and has no violations.
pub(super) fn is_structural(schema: &JsonSchema) -> bool {
    NotStructural::check(schema).is_ok() && violations(&Path::NIL, schema, &Known::default()).is_empty()
}
