//! `+kubebuilder:validation:MinItems=<n>`: a list has at least this many items.

use crate::grammar::marker::{ArgumentType, Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::Tag;
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    types: "lists",
    docs: include_str!("min_items.md"),
    ..Tag::validation(
        "kubebuilder:validation:MinItems",
        Arguments::One(ArgumentType::Int),
        apply,
    )
};

fn apply(node: &mut Node, values: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    node.array("must apply minitems to an array")?;
    Ok(values.int("").map(Facet::MinItems))
}
