//! `+k8s:forbidden`: the field must not be set.

use kindsmith_schema::{Facet, Level};

use super::required::{SETTABLE, settable};
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx};
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    stability: Level::Beta,
    scopes: &[Scope::Field],
    kep_scopes: &[Scope::ListValue],
    types: SETTABLE,
    docs: include_str!("forbidden.md"),
    ..Tag::declarative("k8s:forbidden", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    if at.scope == Scope::Field {
        settable(cx, at, &links[0])?;
    }
    cx.add(at, Facet::Forbidden)
}
