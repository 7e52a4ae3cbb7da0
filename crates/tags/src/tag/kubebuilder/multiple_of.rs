//! `+kubebuilder:validation:MultipleOf=<number>`: a number is a multiple of another.

use super::number;
use crate::grammar::marker::{ArgumentType, Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::Tag;
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    types: "numbers",
    docs: include_str!("multiple_of.md"),
    ..Tag::validation(
        "kubebuilder:validation:MultipleOf",
        Arguments::One(ArgumentType::Number),
        apply,
    )
};

fn apply(node: &mut Node, values: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    let divisor = values.number("").unwrap_or_default();
    node.limit("multipleof", divisor)?;
    Ok(Some(Facet::MultipleOf(number::json(divisor))))
}
