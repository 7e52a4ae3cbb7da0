//! `+kubebuilder:printcolumn:name=<name>,type=<type>,JSONPath=<path>,…`: a column of tables.

use crate::grammar::marker::{Argument, ArgumentType, Arguments, MarkerValues};
use crate::tag::Tag;
use kindsmith_schema::Kind;

pub(super) const TAG: Tag = Tag {
    types: "resources",
    docs: include_str!("printcolumn.md"),
    ..Tag::resource("kubebuilder:printcolumn", ARGUMENTS, apply)
};

const ARGUMENTS: Arguments = Arguments::Named(&[
    Argument::needed("name", ArgumentType::Text),
    Argument::needed("type", ArgumentType::Text),
    Argument::needed("JSONPath", ArgumentType::Text),
    Argument::optional("description", ArgumentType::Text),
    Argument::optional("format", ArgumentType::Text),
    Argument::optional("priority", ArgumentType::Int),
]);

fn apply(kind: &mut Kind, values: &MarkerValues) -> Result<(), String> {
    let text = |name| values.text(name).filter(|text| !text.is_empty()).map(Into::into);
    kind.columns.push(kindsmith_schema::Column {
        name: values.text("name").unwrap_or_default().into(),
        ty: values.text("type").unwrap_or_default().into(),
        json_path: values.text("JSONPath").unwrap_or_default().into(),
        description: text("description"),
        format: text("format"),
        priority: values.int("priority").unwrap_or_default(),
    });
    Ok(())
}
