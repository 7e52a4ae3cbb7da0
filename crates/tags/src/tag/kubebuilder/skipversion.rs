//! `+kubebuilder:skipversion`: this version is left out.

use crate::grammar::marker::{Arguments, MarkerValues};
use crate::tag::Tag;
use kindsmith_schema::Kind;

pub(super) const TAG: Tag = Tag {
    types: "resources",
    docs: include_str!("skipversion.md"),
    ..Tag::resource("kubebuilder:skipversion", Arguments::None, apply)
};

fn apply(kind: &mut Kind, _: &MarkerValues) -> Result<(), String> {
    kind.skipped = true;
    Ok(())
}
