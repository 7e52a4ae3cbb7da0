//! ConfigMaps (`ValidateConfigMap` in pkg/apis/core/validation/validation.go).

use kindsmith_json::{Arena, Path, Value};
use kindsmith_object::FieldError;

use crate::field_check::{check_key, decoded, entries, forbidden, invalid_text, too_long, truth};
use crate::table::{Heading, Row, Table, column};
use crate::{Change, DecodedObject, Names, Strategy};

/// The size limit in bytes for all values of a ConfigMap or Secret together.
pub(super) const SIZE_LIMIT: i64 = 1024 * 1024;
const IMMUTABLE: &str = "field is immutable when `immutable` is set";

#[derive(Debug)]
pub(crate) struct ConfigMap;

impl Strategy for ConfigMap {
    fn table(&self, _: &Names) -> Table {
        Table {
            headings: HEADINGS,
            cells,
        }
    }

    fn short_names(&self) -> &'static [&'static str] {
        &["cm"]
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        if change.old.is_some() {
            change.validate_metadata(errors);
            validate_frozen(change, &["data", "binaryData"], errors);
        }
        change.validate_new_metadata(errors);
        validate_data(change, errors);
    }

    fn canonicalize<'a>(&self, arena: &'a Arena, decoded: &mut DecodedObject<'a>) {
        store_nulls(arena, decoded, "binaryData");
    }
}

/// Stored bytes are protobuf, which has no null: it is read as empty.
pub(super) fn store_nulls<'a>(arena: &'a Arena, decoded: &mut DecodedObject<'a>, key: &'static str) {
    let values = entries(decoded.get(&[key]));
    for (name, _) in values.iter().filter(|(_, value)| value.is_null()) {
        decoded.set(arena, &[key, name], Value::Str(""));
    }
}

/// Rejects changes of an immutable object.
pub(super) fn validate_frozen(change: &Change<'_>, fields: &[&str], errors: &mut Vec<FieldError>) {
    if !truth(change.get_old(&["immutable"])) {
        return;
    }
    if !truth(change.get(&["immutable"])) {
        errors.push(forbidden(&Path::root("immutable"), IMMUTABLE));
    }
    for field in fields {
        if !change.is_same(field) {
            errors.push(forbidden(&Path::root(field), IMMUTABLE));
        }
    }
}

fn validate_data(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let (data, binary) = (
        entries(change.get(&["data"])),
        entries(change.get(&["binaryData"])),
    );
    let (data_path, binary_path) = (Path::root("data"), Path::root("binaryData"));
    let mut size = 0;
    for (key, value) in data {
        check_key(&data_path, key, errors);
        if binary.contains_key(key) {
            let detail = "duplicate of key present in binaryData";
            errors.push(invalid_text(&data_path.key(key), key, detail));
        }
        size += value.as_str().unwrap_or_default().len();
    }
    for (key, value) in binary {
        check_key(&binary_path, key, errors);
        size += decoded(value).len();
    }
    if size as i64 > SIZE_LIMIT {
        errors.push(too_long(&Path::root(""), SIZE_LIMIT));
    }
}

const HEADINGS: &[Heading] = &[
    column::NAME,
    column::text("Data", "core/v1.ConfigMap.data"),
    column::AGE,
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    vec![
        row.name(),
        Value::Int(row.count("data") + row.count("binaryData")),
        row.age(),
    ]
}
