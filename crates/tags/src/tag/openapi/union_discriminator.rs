//! `+unionDiscriminator`: the field that names the union member that is set.

use crate::tag::{Scope, Tag};
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    types: "strings",
    docs: include_str!("union_discriminator.md"),
    ..Tag::openapi("unionDiscriminator", &[Scope::Field], openapi)
};

fn openapi(_: &str) -> Option<Facet> {
    Some(Facet::UnionDiscriminator { union: None })
}
