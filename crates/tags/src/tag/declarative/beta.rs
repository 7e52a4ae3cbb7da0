//! `+k8s:beta(since: "1.35")=<tag>`: the check is enforced if the API server's switch is on.

use kindsmith_schema::Level;

use super::alpha::{SINCE, leveled};
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx};
use crate::tag::{Kind, Payload, Tag};

pub(super) const TAG: Tag = Tag {
    stability: Level::Beta,
    args: &[SINCE],
    payload: Payload::Required(Kind::Tag),
    docs: include_str!("beta.md"),
    since: 36,
    ..Tag::declarative("k8s:beta", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    leveled(cx, at, links, Level::Beta)
}
