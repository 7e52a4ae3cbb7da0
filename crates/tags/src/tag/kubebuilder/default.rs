//! `+kubebuilder:default=<value>`: the value that the API server sets if the field is absent.

use crate::grammar::marker::{ArgumentType, Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::{Scope, Tag};
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    docs: include_str!("default.md"),
    ..Tag::schema(
        "kubebuilder:default",
        &[Scope::Field],
        Arguments::One(ArgumentType::Any),
        apply,
    )
};

fn apply(_: &mut Node, _: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    Ok(None)
}
