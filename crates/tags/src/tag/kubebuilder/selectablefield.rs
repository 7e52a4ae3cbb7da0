//! `+kubebuilder:selectablefield:JSONPath=<path>`: a path usable in field selectors.

use crate::grammar::marker::{Argument, ArgumentType, Arguments, MarkerValues};
use crate::tag::Tag;
use kindsmith_schema::Kind;

pub(super) const TAG: Tag = Tag {
    types: "resources",
    docs: include_str!("selectablefield.md"),
    ..Tag::resource("kubebuilder:selectablefield", ARGUMENTS, apply)
};

const ARGUMENTS: Arguments = Arguments::Named(&[Argument::needed("JSONPath", ArgumentType::Text)]);

fn apply(kind: &mut Kind, values: &MarkerValues) -> Result<(), String> {
    let path = values.text("JSONPath").unwrap_or_default();
    kind.selectable_fields.push(path.into());
    Ok(())
}
