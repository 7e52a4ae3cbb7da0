//! `+kubebuilder:validation:UniqueItems=<bool>`: no two items of a list are equal.

use crate::grammar::marker::{ArgumentType, Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::Tag;
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    types: "lists",
    docs: include_str!("unique_items.md"),
    ..Tag::validation(
        "kubebuilder:validation:UniqueItems",
        Arguments::One(ArgumentType::Bool),
        apply,
    )
};

fn apply(node: &mut Node, values: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    node.array("must apply uniqueitems to an array")?;
    Ok(values.bool("").map(Facet::UniqueItems))
}
