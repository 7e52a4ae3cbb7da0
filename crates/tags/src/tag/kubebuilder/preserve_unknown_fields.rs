//! `+kubebuilder:pruning:PreserveUnknownFields`: unknown members are kept.

use crate::grammar::marker::{Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::{Scope, Tag};
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    types: "objects",
    docs: include_str!("preserve_unknown_fields.md"),
    ..Tag::schema(
        "kubebuilder:pruning:PreserveUnknownFields",
        &[Scope::Field, Scope::Type],
        Arguments::None,
        apply,
    )
};

fn apply(_: &mut Node, _: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    Ok(Some(Facet::PreserveUnknownFields))
}
