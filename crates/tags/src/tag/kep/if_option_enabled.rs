//! `+k8s:ifOptionEnabled(<option>)=<tag>`: another name for `+k8s:ifEnabled`.

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx};
use crate::tag::declarative::if_enabled::{OPTION, SCOPES, conditional};
use crate::tag::{Kind, Payload, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: SCOPES,
    args: &[OPTION],
    payload: Payload::Required(Kind::Tag),
    docs: include_str!("if_option_enabled.md"),
    ..Tag::kep("k8s:ifOptionEnabled", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    conditional(cx, at, links, true)
}
