//! `+kubebuilder:subresource:status`: the resource has a status subresource.

use crate::grammar::marker::{Arguments, MarkerValues};
use crate::tag::Tag;
use kindsmith_schema::Kind;

pub(super) const TAG: Tag = Tag {
    types: "resources",
    docs: include_str!("subresource_status.md"),
    ..Tag::resource("kubebuilder:subresource:status", Arguments::None, apply)
};

fn apply(kind: &mut Kind, _: &MarkerValues) -> Result<(), String> {
    kind.subresources.status = true;
    Ok(())
}
