//! `+k8s:minProperties=<n>`: a map has at least `n` entries.

use kindsmith_schema::Facet;

use super::max_properties::limit;
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx};
use crate::tag::{Kind, Payload, Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Type, Scope::Field],
    types: "maps",
    payload: Payload::Required(Kind::Int),
    docs: include_str!("min_properties.md"),
    since: 37,
    ..Tag::declarative("k8s:minProperties", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    let limit = limit(cx, at, &links[0])?;
    cx.add(at, Facet::MinProperties(limit))
}
