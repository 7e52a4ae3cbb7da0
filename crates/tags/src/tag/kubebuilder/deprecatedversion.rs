//! `+kubebuilder:deprecatedversion:warning=<text>`: this version is deprecated.

use crate::grammar::marker::{Argument, ArgumentType, Arguments, MarkerValues};
use crate::tag::Tag;
use kindsmith_schema::Kind;

pub(super) const TAG: Tag = Tag {
    types: "resources",
    docs: include_str!("deprecatedversion.md"),
    ..Tag::resource("kubebuilder:deprecatedversion", ARGUMENTS, apply)
};

const ARGUMENTS: Arguments = Arguments::Named(&[Argument::optional("warning", ArgumentType::Text)]);

fn apply(kind: &mut Kind, values: &MarkerValues) -> Result<(), String> {
    kind.deprecated = Some(values.text("warning").map(Into::into));
    Ok(())
}
