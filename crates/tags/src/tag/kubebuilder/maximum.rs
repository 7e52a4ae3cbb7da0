//! `+kubebuilder:validation:Maximum=<number>`: a number is not above the limit.

use super::number;
use crate::grammar::marker::{ArgumentType, Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::Tag;
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    types: "numbers",
    docs: include_str!("maximum.md"),
    ..Tag::validation(
        "kubebuilder:validation:Maximum",
        Arguments::One(ArgumentType::Number),
        apply,
    )
};

fn apply(node: &mut Node, values: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    let limit = values.number("").unwrap_or_default();
    node.limit("maximum", limit)?;
    Ok(Some(Facet::Maximum(number::bound(limit))))
}
