//! `+kubebuilder:validation:ExclusiveMaximum=<bool>`: whether the upper limit itself is rejected.

use crate::grammar::marker::{ArgumentType, Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::Tag;
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    types: "numbers",
    docs: include_str!("exclusive_maximum.md"),
    ..Tag::validation(
        "kubebuilder:validation:ExclusiveMaximum",
        Arguments::One(ArgumentType::Bool),
        apply,
    )
};

fn apply(node: &mut Node, values: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    node.numeric("exclusivemaximum")?;
    Ok(values.bool("").map(Facet::ExclusiveMaximum))
}
