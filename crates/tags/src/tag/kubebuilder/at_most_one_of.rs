//! `+kubebuilder:validation:AtMostOneOf=<a>;<b>`: at most one of the named members is set.

use super::members;
use crate::grammar::marker::{ArgumentType, Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::{Scope, Tag};
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    types: "structs",
    docs: include_str!("at_most_one_of.md"),
    ..Tag::schema(
        "kubebuilder:validation:AtMostOneOf",
        &[Scope::Type],
        Arguments::One(ArgumentType::Texts),
        apply,
    )
    .priority(11)
};

fn apply(_: &mut Node, values: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    Ok(Some(Facet::AtMostOneOf(members(TAG.name, values)?)))
}
