//! `+enum`: the values of a string type are its constants.

use crate::tag::{Scope, Tag};
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    types: "string types",
    docs: include_str!("enum.md"),
    ..Tag::openapi("enum", &[Scope::Type], openapi)
};

fn openapi(_: &str) -> Option<Facet> {
    Some(Facet::Enum)
}
