//! `+k8s:ifDisabled(<option>)=<tag>`: the check applies while the option is off.

use super::if_enabled::{OPTION, SCOPES, conditional};
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx};
use crate::tag::{Kind, Payload, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: SCOPES,
    args: &[OPTION],
    payload: Payload::Required(Kind::Tag),
    docs: include_str!("if_disabled.md"),
    since: 35,
    ..Tag::declarative("k8s:ifDisabled", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    conditional(cx, at, links, false)
}
