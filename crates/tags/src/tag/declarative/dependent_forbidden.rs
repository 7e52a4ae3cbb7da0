//! `+k8s:dependentForbidden("<JSON name>")`: when this field is set, the sibling must not be set.

use kindsmith_schema::{Facet, Level};

use super::dependent_required::{SIBLING, sibling};
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx};
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    stability: Level::Alpha,
    scopes: &[Scope::Field],
    types: "pointers, lists, maps and builtin scalars",
    args: &[SIBLING],
    docs: include_str!("dependent_forbidden.md"),
    since: 37,
    ..Tag::declarative("k8s:dependentForbidden", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    let sibling = sibling(cx, at, &links[0])?;
    cx.add(at, Facet::DependentForbidden(sibling))
}
