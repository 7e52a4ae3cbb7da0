//! `+k8s:maxBytes=<n>`: a string has at most `n` bytes.

use kindsmith_schema::Facet;

use super::max_length::{is_string, not_negative};
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx};
use crate::tag::{Kind, Payload, Tag};

pub(super) const TAG: Tag = Tag {
    types: "strings",
    payload: Payload::Required(Kind::Int),
    docs: include_str!("max_bytes.md"),
    since: 36,
    ..Tag::declarative("k8s:maxBytes", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    is_string(cx, at)?;
    let limit = not_negative(&links[0])?;
    cx.add(at, Facet::MaxBytes(limit))
}
