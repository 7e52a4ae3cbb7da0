//! `+k8s:exclusiveMaximum=<n>`: an integer is below `n`.

use kindsmith_schema::Facet;

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx};
use crate::tag::declarative::minimum::{CONSTRAINT, TARGET, add};
use crate::tag::{Kind, Payload, Tag};

pub(super) const TAG: Tag = Tag {
    types: "integers",
    args: &[CONSTRAINT, TARGET],
    payload: Payload::Required(Kind::Int),
    docs: include_str!("exclusive_maximum.md"),
    ..Tag::kep("k8s:exclusiveMaximum", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    add(cx, at, &links[0], true, Facet::Maximum)
}
