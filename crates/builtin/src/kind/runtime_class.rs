//! Validation of runtime classes beyond tags (pkg/apis/node/validation/validation.go).

use std::collections::HashSet;

use kindsmith_object::meta::NameRule;
use kindsmith_object::{Behavior, Detail, ErrorKind, FieldError};

use super::described::Described;
use crate::Change;
use crate::field::{Errors, Field};
use crate::part::node_label::deprecation;
use crate::part::resource_name::{check_amount, check_container_name, is_huge_page};
use crate::part::toleration::{check_tolerations, internal};
use crate::table::{Heading, Row, Table, column};
use kindsmith_json::Value;

pub(crate) const RUNTIME_CLASS: Described = Described {
    creates_on_update: true,
    is_checked_anew: true,
    allows_unconditional_update: false,
    checks_finalizers: false,
    rules: validate_runtime_class,
    warns: runtime_class_warnings,
    table: Table {
        headings: RUNTIME_CLASS_COLUMNS,
        cells: runtime_class_cells,
    },
    ..Described::PLAIN
};

const RUNTIME_CLASS_COLUMNS: &[Heading] = &[
    column::NAME,
    column::text("Handler", "node/v1.RuntimeClass.handler"),
    column::AGE,
];

/// Validates a class. A tag makes the handler immutable.
pub(crate) fn validate_runtime_class(change: &Change<'_>, errors: &mut Errors) {
    let before = errors.len();
    Field::root(change, "handler").required_name(NameRule::Label, errors);
    for error in &mut errors[before..] {
        // A tag reports the same error with another message.
        if error.kind == ErrorKind::Invalid {
            error.origin = "format=k8s-short-name".into();
        }
    }
    let overhead = Field::root(change, "overhead");
    if overhead.is_set() {
        validate_overhead(&overhead, errors);
    }
    let scheduling = Field::root(change, "scheduling");
    scheduling.child("nodeSelector").labels(errors);
    let tolerations = scheduling.child("tolerations");
    let is_in_place = change.release.has(Behavior::TolerationsInPlace);
    check_tolerations(
        &Field {
            path: if is_in_place {
                tolerations.path
            } else {
                tolerations.path.child("tolerations")
            },
            ..tolerations
        },
        errors,
    );
    let mut seen = HashSet::new();
    for toleration in tolerations.items() {
        let key = ["key", "operator", "value", "effect"].map(|key| toleration.child(key).text());
        if !seen.insert(key) {
            errors.push(FieldError::new(
                ErrorKind::Duplicate,
                toleration.path.to_owned(),
                internal(&toleration),
                Detail::None,
            ));
        }
    }
}

/// The amounts are checked like the limits of a container, which errors name.
fn validate_overhead(overhead: &Field<'_, '_>, errors: &mut Errors) {
    let limits = overhead.path.child("limits");
    let amounts = overhead.child("podFixed");
    let (mut has_pages, mut has_compute) = (false, false);
    for (name, amount) in amounts.entries() {
        let amount = Field {
            path: limits.key(name),
            value: amount.value,
            release: overhead.release,
        };
        check_container_name(name, &amount, errors);
        check_amount(name, &amount, errors);
        has_pages |= is_huge_page(name);
        has_compute |= matches!(name, "cpu" | "memory");
    }
    if has_pages && !has_compute {
        overhead.forbidden("HugePages require cpu or memory", errors);
    }
}

/// Warns about deprecated node labels.
pub(crate) fn runtime_class_warnings(change: &Change<'_>) -> Vec<String> {
    let scheduling = Field::root(change, "scheduling");
    let selector = scheduling.child("nodeSelector");
    let labels = selector.entries().filter_map(|(label, _)| deprecation(label));
    labels.map(|text| format!("{}: {text}", selector.path)).collect()
}

fn runtime_class_cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    vec![row.name(), Value::Str(row.text("handler")), row.age()]
}
