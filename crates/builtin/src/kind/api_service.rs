//! API services (kube-aggregator): groups and versions that are served, here or elsewhere.

use kindsmith_json::Value;

use super::described::{Described, StatusPart};
use crate::table::{Heading, Row, Table, column, text_of};

pub(crate) const API_SERVICE: Described = Described {
    categories: &["api-extensions"],
    status: StatusPart::Alone,
    starts_at_one: false,
    watched: &[],
    allows_unconditional_update: false,
    table: Table {
        headings: API_SERVICE_COLUMNS,
        cells: api_service_cells,
    },
    ..Described::STATUS
};

const API_SERVICE_COLUMNS: &[Heading] = &[
    column::NAME,
    column::text("Service", "apiregistration/v1.APIServiceSpec.service"),
    column::in_words("Available", "Whether the server behind it answers, and why not."),
    column::AGE,
];

fn api_service_cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let service = match row.at("spec.service") {
        Value::Null => "Local".to_owned(),
        service => format!("{}/{}", text_of(service, "namespace"), text_of(service, "name")),
    };
    let conditions = row.items("status.conditions").iter();
    let available = conditions
        .copied()
        .find(|condition| text_of(*condition, "type") == "Available");
    let available = available.map_or_else(String::new, |condition| {
        match (text_of(condition, "status"), text_of(condition, "reason")) {
            ("True", _) => "True".to_owned(),
            (status, reason) => format!("{status} ({reason})"),
        }
    });
    vec![row.name(), row.cell(&service), row.cell(&available), row.age()]
}
