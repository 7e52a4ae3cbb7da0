//! `+k8s:customUnique`: hand-written validation checks that items are unique.

use kindsmith_schema::{Facet, Family};

use super::list_type::element;
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, nothing};
use crate::tag::Tag;

pub(super) const TAG: Tag = Tag {
    types: "lists",
    docs: include_str!("custom_unique.md"),
    since: 35,
    ..Tag::declarative("k8s:customUnique", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, _: &[Link]) -> Answer {
    element(cx, at)?;
    cx.lists.at(&at.path);
    cx.add_of(at, Family::Declarative, Facet::CustomUnique);
    nothing()
}
