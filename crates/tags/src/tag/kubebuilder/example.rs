//! `+kubebuilder:example=<value>`: a sample value.

use crate::grammar::marker::{ArgumentType, Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::{Scope, Tag};
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    docs: include_str!("example.md"),
    ..Tag::schema(
        "kubebuilder:example",
        &[Scope::Field],
        Arguments::One(ArgumentType::Any),
        apply,
    )
};

fn apply(_: &mut Node, values: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    Ok(values.get("").map(|value| Facet::Example(value.to_schema_json())))
}
