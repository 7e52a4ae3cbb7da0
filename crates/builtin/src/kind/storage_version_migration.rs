//! Migrations of stored objects to another version.

use kindsmith_json::{Object, Value};
use kindsmith_object::meta::NameRule;

use super::admission_policy::label_problems;
use super::described::{Described, StatusPart};
use crate::Change;
use crate::field::{Errors, Field};
use crate::field_check::{immutable, invalid, name_problems};
use crate::go_value::internal;
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
        return validate_status(change, errors);
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
    let problems = match group.text() {
        "" => String::new(),
        name => name_problems(NameRule::Subdomain, name).join(","),
    };
    if !problems.is_empty() {
        group.invalid(problems, errors);
    }
    let old = Field::old_root(change, "spec");
    let (package, name) = ("storagemigration/v1", "StorageVersionMigrationSpec");
    let [new, old] = [&spec, &old].map(|spec| spec.value.unwrap_or(EMPTY));
    if change.old.is_some() && !internal::is_same(change.release, package, name, new, old) {
        let shown = internal::shown(change.release, package, name, Some(new));
        immutable(&spec.path, shown, errors);
    }
}

const EMPTY: Value<'static> = Value::Object(Object::EMPTY);

/// A migration ends once (`ValidateStorageVersionMigrationStatusUpdate`).
fn validate_status(change: &Change<'_>, errors: &mut Errors) {
    let (status, old) = (Field::root(change, "status"), Field::old_root(change, "status"));
    let version = status.child("resourceVersion").or_empty();
    let sent = version.text();
    let is_well_formed = !sent.starts_with('0') && sent.bytes().all(|byte| byte.is_ascii_digit());
    if !is_well_formed {
        version.invalid(format!("resource version is not well formed: {sent}"), errors);
    }
    let conditions = status.child("conditions");
    condition::validate(&conditions, errors);
    let before = old.child("resourceVersion").text();
    if !before.is_empty() && before != sent {
        immutable(&version.path, version.shown(), errors);
    }
    let is_true = |status: &Field<'_, '_>, kind: &str| {
        let conditions = status.child("conditions");
        let found = conditions
            .items()
            .into_iter()
            .find(|condition| condition.child("type").text() == kind);
        found.is_some_and(|condition| condition.child("status").text() == "True")
    };
    let mut refuse = |detail: &str| errors.push(invalid(&conditions.path, conditions.shown(), detail));
    if is_true(&status, "Succeeded") && is_true(&status, "Failed") {
        refuse("Both success and failed conditions cannot be true at the same time");
    }
    for (kind, word) in [("Succeeded", "Success"), ("Failed", "Failed")] {
        if is_true(&old, kind) && !is_true(&status, kind) {
            refuse(&format!(
                "{word} condition cannot be set to false once it is true"
            ));
        }
    }
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
