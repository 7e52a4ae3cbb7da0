//! `+kubebuilder:validation:XIntOrString`: the value is an integer or a string.

use crate::grammar::marker::{Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::Tag;
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    docs: include_str!("x_int_or_string.md"),
    ..Tag::validation("kubebuilder:validation:XIntOrString", Arguments::None, apply).priority(9)
};

fn apply(node: &mut Node, _: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    node.int_or_string = true;
    Ok(Some(Facet::IntOrString))
}
