//! The types in the written form of the schema, so that a program reads those it uses and no Go. A test writes them anew from the
//! Go files and compares (`UPDATE=1 cargo test -p kindsmith-builtin --test it types::written`). Knows no Go.

use kindsmith_object::Release;
use kindsmith_schema::Schema;

const NEWEST: &str = include_str!("written/newest.txt");

/// What releases have otherwise than the newest; the others have the same types.
const CHANGES: &[(u8, &str)] = &[
    (34, include_str!("written/1.34.txt")),
    (35, include_str!("written/1.35.txt")),
    (36, include_str!("written/1.36.txt")),
];

/// The types as a release has them.
pub(super) fn schema(release: Release) -> Schema {
    let changes = CHANGES
        .iter()
        .find(|(minor, _)| Release::minor(*minor) == release);
    let schema = Schema::from_written(NEWEST, changes.map_or("", |(_, text)| text));
    schema.expect("a test reads all of them")
}
