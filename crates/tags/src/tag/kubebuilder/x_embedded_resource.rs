//! `+kubebuilder:validation:XEmbeddedResource`: the value is a whole Kubernetes object.

use crate::grammar::marker::{Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::Tag;
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    types: "objects",
    docs: include_str!("x_embedded_resource.md"),
    ..Tag::validation("kubebuilder:validation:XEmbeddedResource", Arguments::None, apply)
};

fn apply(_: &mut Node, _: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    Ok(Some(Facet::EmbeddedResource))
}
