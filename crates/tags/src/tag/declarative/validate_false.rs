//! `+k8s:validateFalse`: a check that always fails; for tests of the machinery.

use kindsmith_schema::Level;

use super::validate_true::{ARGS, fixed};
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx};
use crate::tag::{Kind, Payload, Tag};

pub(super) const TAG: Tag = Tag {
    stability: Level::Alpha,
    args: ARGS,
    payload: Payload::Optional(Kind::String),
    docs: include_str!("validate_false.md"),
    ..Tag::declarative("k8s:validateFalse", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    fixed(cx, at, &links[0], true)
}
