//! `+kubebuilder:storageversion`: objects are stored in this version.

use crate::grammar::marker::{Arguments, MarkerValues};
use crate::tag::Tag;
use kindsmith_schema::Kind;

pub(super) const TAG: Tag = Tag {
    types: "resources",
    docs: include_str!("storageversion.md"),
    ..Tag::resource("kubebuilder:storageversion", Arguments::None, apply)
};

fn apply(kind: &mut Kind, _: &MarkerValues) -> Result<(), String> {
    kind.storage = true;
    Ok(())
}
