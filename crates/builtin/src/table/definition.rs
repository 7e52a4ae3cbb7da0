//! The table of CRDs (apiextensions-apiserver's pkg/registry/customresourcedefinition/tableconvertor).

use kindsmith_json::Value;
use kindsmith_object::{Behavior, Release};

use super::{Row, Table, column, text_of};

impl Table {
    /// The table of CRDs.
    const DEFINITION: Table = Table {
        headings: &[
            column::NAME,
            column::text("Scope", "apiextensions/v1.CustomResourceDefinitionSpec.scope"),
            column::in_words(
                "Versions",
                "Versions that are served, and which of them is stored.",
            ),
            column::CREATED,
            column::wide("Group", "apiextensions/v1.CustomResourceDefinitionSpec.group"),
            column::wide("Kind", "apiextensions/v1.CustomResourceDefinitionNames.kind"),
            column::wide(
                "ShortNames",
                "apiextensions/v1.CustomResourceDefinitionNames.shortNames",
            ),
            column::wide_truth("Established", "Whether its objects are served."),
        ],
        cells,
    };

    /// The table of CRDs in a release.
    #[must_use]
    pub fn of_definitions(release: Release) -> Table {
        if release.has(Behavior::DefinitionColumns) {
            Table::DEFINITION
        } else {
            Table::DEFAULT
        }
    }
}

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let is_true = |version: Value<'_>, key| version.get(key).and_then(Value::as_bool) == Some(true);
    let served = row.items("spec.versions").iter();
    let served = served.filter(|version| is_true(**version, "served"));
    let mut versions: Vec<String> = served
        .map(|version| {
            if is_true(*version, "storage") {
                format!("{}(storage)", text_of(*version, "name"))
            } else {
                text_of(*version, "name").to_owned()
            }
        })
        .collect();
    versions.sort();
    let short_names = row.items("spec.names.shortNames").iter();
    let short_names: Vec<&str> = short_names.filter_map(|name| name.as_str()).collect();
    let mut conditions = row.items("status.conditions").iter();
    let is_established = conditions.any(|condition| {
        text_of(*condition, "type") == "Established" && text_of(*condition, "status") == "True"
    });
    vec![
        row.name(),
        Value::Str(row.text("spec.scope")),
        row.cell(&versions.join(",")),
        row.created(),
        Value::Str(row.text("spec.group")),
        Value::Str(row.text("spec.names.kind")),
        row.cell(&short_names.join(",")),
        Value::Bool(is_established),
    ]
}
