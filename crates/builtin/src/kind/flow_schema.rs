//! Flow schemas (pkg/apis/flowcontrol/v1/defaults.go).

use kindsmith_json::{Arena, Value};

use super::described::{Described, StatusPart};
use super::flow_schema_rules::validate_flow_schema;
use crate::edit::member;
use crate::field_check::number;
use crate::table::{Heading, Row, Table, column, text_of};

pub(crate) const FLOW_SCHEMA: Described = Described {
    status: StatusPart::Only,
    default: default_flow_schema,
    rules: validate_flow_schema,
    table: Table {
        headings: FLOW_SCHEMA_COLUMNS,
        cells: flow_schema_cells,
    },
    // In the order in which they are tried (`printFlowSchemaList` in pkg/printers/internalversion/printers.go).
    table_order: Some(&["spec", "matchingPrecedence"]),
    ..Described::STATUS
};

const FLOW_SCHEMA_COLUMNS: &[Heading] = &[
    column::NAME,
    column::text(
        "PriorityLevel",
        "flowcontrol/v1.FlowSchemaSpec.priorityLevelConfiguration",
    ),
    column::text(
        "MatchingPrecedence",
        "flowcontrol/v1.FlowSchemaSpec.matchingPrecedence",
    ),
    column::text(
        "DistinguisherMethod",
        "flowcontrol/v1.FlowSchemaSpec.distinguisherMethod",
    ),
    column::AGE,
    column::in_words("MissingPL", "Whether the level that it names is missing."),
];

/// The default precedence is in the middle of the range.
pub(crate) fn default_flow_schema<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    const PRECEDENCE: i64 = 1000;
    let mut object = object;
    member(arena, &mut object, &["spec"], |spec| {
        let mut spec = spec;
        if number(spec.get("matchingPrecedence")) == 0 {
            spec.set(arena, &["matchingPrecedence"], Value::Int(PRECEDENCE));
        }
        spec
    });
    object
}

fn flow_schema_cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let conditions = row.items("status.conditions").iter();
    let dangling = conditions
        .copied()
        .find(|condition| text_of(*condition, "type") == "Dangling");
    let method = match row.text("spec.distinguisherMethod.type") {
        "" => "<none>",
        method => method,
    };
    vec![
        row.name(),
        Value::Str(row.text("spec.priorityLevelConfiguration.name")),
        row.number("spec.matchingPrecedence"),
        Value::Str(method),
        row.age(),
        Value::Str(dangling.map_or("?", |condition| text_of(condition, "status"))),
    ]
}
