//! `+kubebuilder:validation:XPreserveUnknownFields`: unknown members are kept.

use crate::grammar::marker::{Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::Tag;
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    types: "objects",
    docs: include_str!("x_preserve_unknown_fields.md"),
    ..Tag::validation(
        "kubebuilder:validation:XPreserveUnknownFields",
        Arguments::None,
        apply,
    )
};

fn apply(_: &mut Node, _: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    Ok(Some(Facet::PreserveUnknownFields))
}
