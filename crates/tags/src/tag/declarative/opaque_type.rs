//! `+k8s:opaqueType`: the rules of the value's own type do not apply here.

use kindsmith_schema::Facet;

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx};
use crate::tag::Tag;

pub(super) const TAG: Tag = Tag {
    docs: include_str!("opaque_type.md"),
    ..Tag::declarative("k8s:opaqueType", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, _: &[Link]) -> Answer {
    cx.add(at, Facet::OpaqueType)
}
