//! `+kubebuilder:validation:Format=<name>`: text in a named format.

use crate::grammar::marker::{ArgumentType, Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::Tag;
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    types: "strings, numbers",
    docs: include_str!("format.md"),
    ..Tag::validation(
        "kubebuilder:validation:Format",
        Arguments::One(ArgumentType::Text),
        apply,
    )
};

fn apply(_: &mut Node, values: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    Ok(values.text("").map(|format| Facet::Format(format.into())))
}
