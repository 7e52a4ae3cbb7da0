//! `+k8s:customValidation`: a hand-written function checks the value.

use kindsmith_schema::Facet;

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx};
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Type, Scope::Field],
    docs: include_str!("custom_validation.md"),
    since: 37,
    ..Tag::declarative("k8s:customValidation", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, _: &[Link]) -> Answer {
    cx.add(at, Facet::CustomValidation)
}
