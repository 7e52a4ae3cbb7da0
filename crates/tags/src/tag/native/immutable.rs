//! `+k8s:immutable`: the value never changes.

use kindsmith_schema::Facet;

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx};
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Type, Scope::Field, Scope::ListValue, Scope::MapValue],
    docs: include_str!("immutable.md"),
    ..Tag::native("k8s:immutable", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, _: &[Link]) -> Answer {
    cx.add(at, Facet::Immutable)
}
