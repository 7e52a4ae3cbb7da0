//! Controller revisions: states of a workload to go back to.

use kindsmith_json::write::{Escape, Format};
use kindsmith_json::{Path, Value};
use kindsmith_object::{BadValue, GroupVersion};

use super::described::Described;
use crate::Change;
use crate::field::{Errors, Field};
use crate::field_check::{immutable, required};
use crate::table::{Heading, Row, Table, column, text_of};

pub(crate) const CONTROLLER_REVISION: Described = Described {
    table: Table {
        headings: CONTROLLER_REVISION_COLUMNS,
        cells: controller_revision_cells,
    },
    rules: validate,
    ..Described::PLAIN
};

/// Data is an object that does not change (`ValidateControllerRevisionCreate` in pkg/apis/apps/validation/validation.go).
fn validate(change: &Change<'_>, errors: &mut Errors) {
    const DATA: Path<'static> = Path::root("data");
    if change.old.is_some() {
        change.validate_new_metadata(errors);
    }
    Field::root(change, "revision").not_negative(errors);
    let data = change.get(&["data"]);
    match (change.old, data) {
        (Some(_), data) => {
            if data != change.get_old(&["data"]) {
                let text = Format::default()
                    .escape(Escape::Html)
                    .to_string(data.unwrap_or_default());
                immutable(&DATA, BadValue::Json(text.into()), errors);
            }
        }
        (None, None) => errors.push(required(&DATA, "data is mandatory")),
        (None, Some(Value::Object(_))) => {}
        (None, Some(_)) => errors.push(required(&DATA, "data must be a valid JSON object")),
    }
}

const CONTROLLER_REVISION_COLUMNS: &[Heading] = &[
    column::NAME,
    column::in_words("Controller", "Object whose state it holds."),
    column::text("Revision", "apps/v1.ControllerRevision.revision"),
    column::AGE,
];

fn controller_revision_cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let owners = row.items("metadata.ownerReferences").iter().copied();
    let owner = owners
        .into_iter()
        .find(|owner| owner.get("controller") == Some(Value::Bool(true)));
    let controller = owner.map_or_else(
        || "<none>".to_owned(),
        |owner| {
            let kind = text_of(owner, "kind").to_lowercase();
            let name = text_of(owner, "name");
            let of = GroupVersion::parse(text_of(owner, "apiVersion")).unwrap_or_default();
            format!("{}/{name}", of.with_kind(&kind).group_kind())
        },
    );
    vec![
        row.name(),
        row.cell(&controller),
        row.number("revision"),
        row.age(),
    ]
}
