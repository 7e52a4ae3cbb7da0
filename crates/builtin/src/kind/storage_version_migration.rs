//! Migrations of stored objects to another version.

use kindsmith_json::Value;

use super::described::{Described, StatusPart};
use crate::condition;
use crate::table::{Heading, Row, Table, column, text_of};

pub(crate) const STORAGE_VERSION_MIGRATION: Described = Described {
    status: StatusPart::Alone,
    starts_at_one: false,
    watched: &[],
    allows_unconditional_update: false,
    rules: condition::of_status,
    table: Table {
        headings: STORAGE_VERSION_MIGRATION_COLUMNS,
        cells: storage_version_migration_cells,
    },
    ..Described::STATUS
};

const STORAGE_VERSION_MIGRATION_COLUMNS: &[Heading] = &[
    column::text("Name", "meta/v1.ObjectMeta.name"),
    column::text(
        "Resource",
        "storagemigration/v1.StorageVersionMigrationSpec.resource",
    ),
    column::in_words("Status", "How far the migration is."),
];

fn storage_version_migration_cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let resource = row.at("spec.resource");
    let resource = match text_of(resource, "group") {
        "" => text_of(resource, "resource").to_owned(),
        group => format!("{}.{group}", text_of(resource, "resource")),
    };
    let conditions = row.items("status.conditions").iter();
    let state = conditions
        .filter(|condition| text_of(**condition, "status") == "True")
        .map(|condition| text_of(*condition, "type"))
        .rfind(|state| matches!(*state, "Running" | "Failed" | "Succeeded"));
    vec![
        row.name(),
        row.cell(&resource),
        Value::Str(state.unwrap_or("Unknown")),
    ]
}
