//! Printer columns.

use kindsmith_json::Path;
use kindsmith_openapi::crd::Column;

use super::faults::Faults;
use super::subresources::simple;

const TYPES: [&str; 5] = ["boolean", "date", "integer", "number", "string"];
const FORMATS: [&str; 8] = [
    "byte",
    "date",
    "date-time",
    "double",
    "float",
    "int32",
    "int64",
    "password",
];

pub(super) fn check(columns: &[Column], path: &Path<'_>, faults: &mut Faults) {
    for (index, column) in columns.iter().enumerate() {
        check_one(column, &path.index(index), faults);
    }
}

fn check_one(column: &Column, path: &Path<'_>, faults: &mut Faults) {
    if column.name.is_empty() {
        faults.required(&path.child("name"), "");
    }
    let one_of = |known: &[&str]| format!("must be one of {}", known.join(","));
    if column.ty.is_empty() {
        faults.required(&path.child("type"), &one_of(&TYPES));
    } else if !TYPES.contains(&&*column.ty) {
        faults.invalid(&path.child("type"), &*column.ty, &one_of(&TYPES));
    }
    if !column.format.is_empty() && !FORMATS.contains(&&*column.format) {
        faults.invalid(&path.child("format"), &*column.format, &one_of(&FORMATS));
    }
    let at = path.child("JSONPath");
    if column.json_path.is_empty() {
        faults.required(&at, "");
    } else {
        simple(&column.json_path, &at, faults);
    }
}
