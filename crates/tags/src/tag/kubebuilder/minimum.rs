//! `+kubebuilder:validation:Minimum=<number>`: a number is not below the limit.

use super::number;
use crate::grammar::marker::{ArgumentType, Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::Tag;
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    types: "numbers",
    docs: include_str!("minimum.md"),
    ..Tag::validation(
        "kubebuilder:validation:Minimum",
        Arguments::One(ArgumentType::Number),
        apply,
    )
};

fn apply(node: &mut Node, values: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    let limit = values.number("").unwrap_or_default();
    node.limit("minimum", limit)?;
    Ok(Some(Facet::Minimum(number::bound(limit))))
}
