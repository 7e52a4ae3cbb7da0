//! `+patchMergeKey=<member>`: the key by which strategic merge patch identifies items.

use crate::tag::{Scope, Tag};
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    types: "lists of structs",
    docs: include_str!("patch_merge_key.md"),
    ..Tag::openapi("patchMergeKey", &[Scope::Field, Scope::Type], openapi)
};

fn openapi(value: &str) -> Option<Facet> {
    Some(Facet::PatchMergeKey(value.into()))
}
