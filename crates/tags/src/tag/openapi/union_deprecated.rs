//! `+unionDeprecated`: a member of a union inside a struct that is not a union as a whole.

use crate::tag::{Scope, Tag};
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    docs: include_str!("union_deprecated.md"),
    ..Tag::openapi("unionDeprecated", &[Scope::Field], openapi)
};

fn openapi(_: &str) -> Option<Facet> {
    Some(Facet::UnionMember {
        union: None,
        member_name: None,
    })
}
