//! `+union`: the members of the struct are a union.

use crate::tag::{Scope, Tag};
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    types: "structs",
    docs: include_str!("union.md"),
    ..Tag::openapi("union", &[Scope::Type], openapi)
};

fn openapi(_: &str) -> Option<Facet> {
    Some(Facet::Union { union: None })
}
