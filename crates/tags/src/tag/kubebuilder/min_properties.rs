//! `+kubebuilder:validation:MinProperties=<n>`: an object has at least this many members.

use crate::grammar::marker::{ArgumentType, Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::Tag;
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    types: "maps and structs",
    docs: include_str!("min_properties.md"),
    ..Tag::validation(
        "kubebuilder:validation:MinProperties",
        Arguments::One(ArgumentType::Int),
        apply,
    )
};

fn apply(node: &mut Node, values: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    node.object("minproperties")?;
    Ok(values.int("").map(Facet::MinProperties))
}
