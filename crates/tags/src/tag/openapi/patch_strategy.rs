//! `+patchStrategy=<strategy>`: how strategic merge patch treats a field.

use crate::tag::{Scope, Tag};
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    types: "lists and structs",
    docs: include_str!("patch_strategy.md"),
    ..Tag::openapi("patchStrategy", &[Scope::Field, Scope::Type], openapi)
};

fn openapi(value: &str) -> Option<Facet> {
    Some(Facet::PatchStrategy(value.into()))
}
