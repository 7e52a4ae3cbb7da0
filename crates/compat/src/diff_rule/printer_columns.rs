//! `diff-printer-columns`: `kubectl get` shows other columns.

use kindsmith_openapi::crd::{Column, Version};
use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-printer-columns", Tool::Kindsmith, include_str!("printer_columns.md"));

pub(crate) fn check(old: &Version, new: &Version, report: &mut Report<'_>) {
    let (old, new) = (&old.additional_printer_columns, &new.additional_printer_columns);
    for column in old {
        match new.iter().find(|other| other.name == column.name) {
            None => {report.add(Class::Meaning, "", format!("the column {} is gone", column.name));}
            Some(other) if !shows_the_same(column, other) => {
                let message = format!("the column {} shows another value: {}", column.name, other.json_path);
                report.add(Class::Meaning, "", message);
            }
            Some(_) => {}
        }
    }
    for column in new {
        if !old.iter().any(|other| other.name == column.name) {
            report.add(Class::Compatible, "", format!("the column {} is new", column.name));
        }
    }
}

/// Spaces in a path do not count.
fn shows_the_same(one: &Column, other: &Column) -> bool {
    let path = |column: &Column| column.json_path.replace(' ', "");
    (path(one), &one.ty) == (path(other), &other.ty)
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::check;

    #[test]
    fn columns_by_name() {
        let of = |columns: &str| {
            format!("versions: [{{name: v1, served: true, storage: true, additionalPrinterColumns: [{columns}]}}]")
        };
        let (a, b) = (
            "{name: A, type: string, jsonPath: .a}",
            "{name: A, type: string, jsonPath: .b}",
        );
        check(&FINDING, &of(a), &of(""), &["meaning : the column A is gone"]);
        check(&FINDING, &of(""), &of(a), &["compatible : the column A is new"]);
        check(&FINDING, &of(a), &of(b), &["meaning : the column A shows another value: .b"]);
        check(&FINDING, &of(a), &of(a), &[]);
        let spaced = |path: &str| of(&format!("{{name: A, type: string, jsonPath: '{path}'}}"));
        check(&FINDING, &spaced(".a[?(@.b==1)]"), &spaced(".a[?(@.b == 1)]"), &[]);
    }
}
