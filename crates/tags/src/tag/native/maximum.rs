//! `+k8s:maximum=<n>`: an integer is not above `n`.

use kindsmith_schema::{Bound, Facet};

use super::minimum::{CONSTRAINT, limit};
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx};
use crate::tag::{Kind, Payload, Tag};

pub(super) const TAG: Tag = Tag {
    types: "integers",
    args: &[CONSTRAINT],
    payload: Payload::Required(Kind::Int),
    docs: include_str!("maximum.md"),
    ..Tag::native("k8s:maximum", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    let limit = limit(cx, at, &links[0])?;
    let bound = Bound {
        limit,
        exclusive: false,
    };
    cx.add(at, Facet::Maximum(bound))
}
