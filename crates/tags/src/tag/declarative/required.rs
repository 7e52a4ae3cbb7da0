//! `+k8s:required`: the field must be set.

use kindsmith_schema::{Facet, GoKind, Level};

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse};
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    stability: Level::Stable,
    scopes: &[Scope::Field],
    types: SETTABLE,
    docs: include_str!("required.md"),
    ..Tag::declarative("k8s:required", apply)
};

/// Types that can be recognized as set.
pub(super) const SETTABLE: &str = "anything but a struct by value";

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    settable(cx, at, &links[0])?;
    cx.add(at, Facet::Required)
}

/// A struct by value is always set.
pub(super) fn settable<'a>(cx: &Cx<'a>, at: &At<'a>, link: &Link) -> Result<(), Misuse> {
    if cx.resolved(at).kind(cx.view) != GoKind::Struct {
        return Ok(());
    }
    let text = format!("non-pointer structs cannot use the {:?} tag", link.name);
    Err(Misuse::new(text).help("make the field a pointer, or tag the members of the struct"))
}
