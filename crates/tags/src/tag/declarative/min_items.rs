//! `+k8s:minItems=<n>`: a list has at least `n` items.

use kindsmith_schema::Facet;

use super::max_items::is_list;
use super::max_length::not_negative;
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx};
use crate::tag::{Kind, Payload, Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Type, Scope::Field, Scope::ListValue, Scope::MapValue],
    types: "lists",
    payload: Payload::Required(Kind::Int),
    docs: include_str!("min_items.md"),
    since: 36,
    ..Tag::declarative("k8s:minItems", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    is_list(cx, at)?;
    let limit = not_negative(&links[0])?;
    cx.add(at, Facet::MinItems(limit))
}
