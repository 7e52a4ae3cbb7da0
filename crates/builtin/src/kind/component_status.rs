//! Component statuses: the health of a control plane's parts, which is not stored: who serves them makes them.

use kindsmith_json::Value;

use crate::table::{Heading, Row, Table, column, text_of};
use crate::{Names, Strategy};

#[derive(Debug)]
pub(crate) struct ComponentStatus;

impl Strategy for ComponentStatus {
    fn verbs(&self) -> &'static [&'static str] {
        &["get", "list"]
    }

    fn short_names(&self) -> &'static [&'static str] {
        &["cs"]
    }

    fn is_stored(&self) -> bool {
        false
    }

    fn deprecation(&self) -> Option<&'static str> {
        Some("v1 ComponentStatus is deprecated in v1.19+")
    }

    fn table(&self, _: &Names) -> Table {
        Table {
            headings: HEADINGS,
            cells,
        }
    }
}

const HEADINGS: &[Heading] = &[
    column::NAME,
    column::in_words("Status", "Whether the component is healthy."),
    column::text("Message", "core/v1.ComponentCondition.message"),
    column::text("Error", "core/v1.ComponentCondition.error"),
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let conditions = row.items("conditions").iter().copied();
    let health = conditions
        .into_iter()
        .find(|condition| text_of(*condition, "type") == "Healthy");
    let status = match health.map(|health| text_of(health, "status")) {
        None => "Unknown",
        Some("True") => "Healthy",
        Some(_) => "Unhealthy",
    };
    let health = health.unwrap_or_default();
    vec![
        row.name(),
        Value::Str(status),
        Value::Str(text_of(health, "message")),
        Value::Str(text_of(health, "error")),
    ]
}
