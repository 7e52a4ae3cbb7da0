//! `+k8s:maxItems=<n>`: a list has at most `n` items.

use kindsmith_schema::{Facet, GoKind};

use super::max_length::not_negative;
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse};
use crate::tag::{Kind, Payload, Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Type, Scope::Field, Scope::ListValue, Scope::MapValue],
    types: "lists",
    payload: Payload::Required(Kind::Int),
    docs: include_str!("max_items.md"),
    since: 35,
    ..Tag::declarative("k8s:maxItems", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    is_list(cx, at)?;
    let limit = not_negative(&links[0])?;
    cx.add(at, Facet::MaxItems(limit))
}

/// Checks that the value is a list.
pub(super) fn is_list<'a>(cx: &Cx<'a>, at: &At<'a>) -> Result<(), Misuse> {
    match cx.resolved(at).kind(cx.view) {
        GoKind::Slice | GoKind::Array => Ok(()),
        _ => {
            let types = format!("list types ({})", cx.pointer_text(at));
            Err(Misuse::only_on(types))
        }
    }
}
