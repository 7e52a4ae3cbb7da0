//! `+kubebuilder:validation:EmbeddedResource`: the value is a whole Kubernetes object.

use crate::grammar::marker::{Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::{Scope, Tag};
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    types: "objects",
    docs: include_str!("embedded_resource.md"),
    ..Tag::schema(
        "kubebuilder:validation:EmbeddedResource",
        &[Scope::Field],
        Arguments::None,
        apply,
    )
};

fn apply(_: &mut Node, _: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    Ok(Some(Facet::EmbeddedResource))
}
