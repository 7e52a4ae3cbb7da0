//! `+kubebuilder:unservedversion`: this version is not served.

use crate::grammar::marker::{Arguments, MarkerValues};
use crate::tag::Tag;
use kindsmith_schema::Kind;

pub(super) const TAG: Tag = Tag {
    types: "resources",
    docs: include_str!("unservedversion.md"),
    ..Tag::resource("kubebuilder:unservedversion", Arguments::None, apply)
};

fn apply(kind: &mut Kind, _: &MarkerValues) -> Result<(), String> {
    kind.served = false;
    Ok(())
}
