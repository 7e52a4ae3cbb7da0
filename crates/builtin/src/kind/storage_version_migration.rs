//! Migrations of stored objects to another version.

use kindsmith_json::Value;
use kindsmith_object::meta::NameRule;

use super::admission_policy::label_problems;
use super::described::{Described, StatusPart};
use crate::Change;
use crate::field::{Errors, Field};
use crate::part::condition;
use crate::table::{Heading, Row, Table, column, text_of};

pub(crate) const STORAGE_VERSION_MIGRATION: Described = Described {
    status: StatusPart::Alone,
    starts_at_one: false,
    watched: &[],
    allows_unconditional_update: false,
    rules: validate,
    table: Table {
        headings: STORAGE_VERSION_MIGRATION_COLUMNS,
        cells: storage_version_migration_cells,
    },
    ..Described::STATUS
};

/// The resource is named as in a URL (`ValidateStorageVersionMigration` in pkg/apis/storagemigration/validation/validation.go).
fn validate(change: &Change<'_>, errors: &mut Errors) {
    if change.subresource == "status" {
        return condition::of_status(change, errors);
    }
    let spec = Field::root(change, "spec");
    let whole = spec.child("resource");
    let (resource, group) = (whole.child("resource"), whole.child("group"));
    match resource.text() {
        "" => resource.required("resource is required to be set", errors),
        name => {
            let problems = label_problems(name);
            if !problems.is_empty() {
                resource.invalid(problems, errors);
            }
        }
    }
    if !group.text().is_empty() {
        group.name(NameRule::Subdomain, errors);
    }
    condition::of_status(change, errors);
}

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
