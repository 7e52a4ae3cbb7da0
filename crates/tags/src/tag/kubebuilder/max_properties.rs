//! `+kubebuilder:validation:MaxProperties=<n>`: an object has at most this many members.

use crate::grammar::marker::{ArgumentType, Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::Tag;
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    types: "maps and structs",
    docs: include_str!("max_properties.md"),
    ..Tag::validation(
        "kubebuilder:validation:MaxProperties",
        Arguments::One(ArgumentType::Int),
        apply,
    )
};

fn apply(node: &mut Node, values: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    node.object("maxproperties")?;
    Ok(values.int("").map(Facet::MaxProperties))
}
