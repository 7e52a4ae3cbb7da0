//! `+k8s:validateError`: reading the tag fails; for tests of the machinery.

use kindsmith_gostd::quote::quote;
use kindsmith_schema::Level;

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse};
use crate::tag::{Kind, Payload, Tag};

pub(super) const TAG: Tag = Tag {
    stability: Level::Alpha,
    payload: Payload::Optional(Kind::String),
    docs: include_str!("validate_error.md"),
    ..Tag::declarative("k8s:validateError", apply)
};

fn apply<'a>(_: &mut Cx<'a>, _: &At<'a>, links: &[Link]) -> Answer {
    Misuse::new(format!("forced error: {}", quote(links[0].text()))).into()
}
