//! `+kubebuilder:validation:AtLeastOneOf=<a>;<b>`: at least one of the named members is set.

use super::members;
use crate::grammar::marker::{ArgumentType, Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::{Scope, Tag};
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    types: "structs",
    docs: include_str!("at_least_one_of.md"),
    ..Tag::schema(
        "kubebuilder:validation:AtLeastOneOf",
        &[Scope::Type],
        Arguments::One(ArgumentType::Texts),
        apply,
    )
    .priority(13)
};

fn apply(_: &mut Node, values: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    Ok(Some(Facet::AtLeastOneOf(members(TAG.name, values)?)))
}
