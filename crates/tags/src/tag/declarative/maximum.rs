//! `+k8s:maximum=<n>`: an integer is not above `n`.

use kindsmith_schema::Facet;

use super::minimum::{CONSTRAINT, TARGET, add};
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx};
use crate::tag::{Kind, Payload, Tag};

pub(super) const TAG: Tag = Tag {
    types: "integers",
    args: &[CONSTRAINT, TARGET],
    payload: Payload::Required(Kind::Int),
    docs: include_str!("maximum.md"),
    since: 36,
    ..Tag::declarative("k8s:maximum", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    add(cx, at, &links[0], false, Facet::Maximum)
}
