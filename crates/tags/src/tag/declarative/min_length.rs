//! `+k8s:minLength=<n>`: a string has at least `n` characters.

use kindsmith_schema::Facet;

use super::max_length::{int, is_string};
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, nothing};
use crate::tag::{Kind, Payload, Tag};

pub(super) const TAG: Tag = Tag {
    types: "strings",
    payload: Payload::Required(Kind::Int),
    docs: include_str!("min_length.md"),
    since: 36,
    ..Tag::declarative("k8s:minLength", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    is_string(cx, at)?;
    let limit = int(&links[0])?;
    let answer = cx.add(at, Facet::MinLength(limit));
    // Every text is at least that long, so upstream generates nothing.
    if limit <= 0 { nothing() } else { answer }
}
