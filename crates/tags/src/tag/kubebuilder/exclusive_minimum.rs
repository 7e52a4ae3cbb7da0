//! `+kubebuilder:validation:ExclusiveMinimum=<bool>`: whether the lower limit itself is rejected.

use crate::grammar::marker::{ArgumentType, Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::Tag;
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    types: "numbers",
    docs: include_str!("exclusive_minimum.md"),
    ..Tag::validation(
        "kubebuilder:validation:ExclusiveMinimum",
        Arguments::One(ArgumentType::Bool),
        apply,
    )
};

fn apply(node: &mut Node, values: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    node.numeric("exclusiveminimum")?;
    Ok(values.bool("").map(Facet::ExclusiveMinimum))
}
