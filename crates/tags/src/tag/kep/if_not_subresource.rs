//! `+k8s:ifNotSubresource("/x")=<tag>`: the check applies to requests that are not for the subresource.

use super::if_subresource::{PATH, conditional};
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx};
use crate::tag::{Kind, Payload, Tag};

pub(super) const TAG: Tag = Tag {
    args: &[PATH],
    payload: Payload::Required(Kind::Tag),
    docs: include_str!("if_not_subresource.md"),
    ..Tag::kep("k8s:ifNotSubresource", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    conditional(cx, at, links, false)
}
