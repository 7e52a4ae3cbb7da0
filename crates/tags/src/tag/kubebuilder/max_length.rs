//! `+kubebuilder:validation:MaxLength=<n>`: a string has at most this many characters.

use crate::grammar::marker::{ArgumentType, Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::Tag;
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    types: "strings",
    docs: include_str!("max_length.md"),
    ..Tag::validation(
        "kubebuilder:validation:MaxLength",
        Arguments::One(ArgumentType::Int),
        apply,
    )
};

fn apply(node: &mut Node, values: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    node.textual("maxlength")?;
    Ok(values.int("").map(Facet::MaxLength))
}
