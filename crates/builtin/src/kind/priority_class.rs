//! Validation of priority classes beyond tags (pkg/apis/scheduling/validation/validation.go).

use super::described::Described;
use crate::Change;
use crate::field::{Errors, Field};
use crate::table::{Heading, Row, Table, column};
use crate::types::declared;
use kindsmith_json::Value;

pub(crate) const PRIORITY_CLASS: Described = Described {
    short_names: &["pc"],
    starts_at_one: true,
    rules: validate_priority_class,
    table: Table {
        headings: PRIORITY_CLASS_COLUMNS,
        cells: priority_class_cells,
    },
    ..Described::PLAIN
};

const PRIORITY_CLASS_COLUMNS: &[Heading] = &[
    column::NAME,
    column::count("Value", "scheduling/v1.PriorityClass.value"),
    column::truth("Global-Default", "scheduling/v1.PriorityClass.globalDefault"),
    column::AGE,
    column::text("PreemptionPolicy", "scheduling/v1.PriorityClass.preemptionPolicy"),
];

/// The highest priority of user-defined classes; higher ones are reserved.
const HIGHEST: i64 = 1_000_000_000;

/// The system classes and their priorities.
const SYSTEM: [(&str, i64); 2] = [
    ("system-node-critical", 2_000_001_000),
    ("system-cluster-critical", 2_000_000_000),
];

/// Validates a class; value and preemption policy are immutable.
pub(crate) fn validate_priority_class(change: &Change<'_>, errors: &mut Errors) {
    let (value, policy) = (
        Field::root(change, "value"),
        Field::root(change, "preemptionPolicy"),
    );
    if change.old.is_some() {
        if value.number() != Field::old_root(change, "value").number() {
            value.forbidden("may not be changed in an update.", errors);
        }
        return policy.unchanged(&Field::old_root(change, "preemptionPolicy"), errors);
    }
    let name = change.new.meta.name;
    if name.starts_with("system-") {
        if let Some(problem) = system_problem(change, name, value.number()) {
            let metadata = Field::root(change, "metadata");
            let detail = format!(
                "priority class names with 'system-' prefix are reserved for system use only. error: {problem}"
            );
            metadata.child("name").forbidden(&detail, errors);
        }
    } else if value.number() > HIGHEST {
        let detail = format!("maximum allowed value of a user defined priority is {HIGHEST}");
        value.forbidden(&detail, errors);
    }
    match policy.value {
        None => {}
        Some(_) if policy.text().is_empty() => policy.required("", errors),
        Some(_) => policy.one_of(declared("core/v1.PreemptionPolicy"), errors),
    }
}

/// Why a class is not a system class.
fn system_problem(change: &Change<'_>, name: &str, value: i64) -> Option<String> {
    let Some((_, expected)) = SYSTEM.iter().find(|(known, _)| *known == name) else {
        return Some(format!("{name} is not a known system priority class"));
    };
    if value != *expected {
        return Some(format!("value of {name} PriorityClass must be {expected}"));
    }
    let is_default = Field::root(change, "globalDefault").truth();
    is_default.then(|| format!("globalDefault of {name} PriorityClass must be false"))
}

fn priority_class_cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    vec![
        row.name(),
        row.number("value"),
        row.truth("globalDefault", false),
        row.age(),
        Value::Str(row.text("preemptionPolicy")),
    ]
}
