//! `+k8s:maxProperties=<n>`: a map has at most `n` entries.

use kindsmith_schema::{Facet, Scalar, TypeRef};

use super::max_length::not_negative;

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse};
use crate::tag::{Kind, Payload, Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Type, Scope::Field],
    types: "maps",
    payload: Payload::Required(Kind::Int),
    docs: include_str!("max_properties.md"),
    since: 37,
    ..Tag::declarative("k8s:maxProperties", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    let limit = limit(cx, at, &links[0])?;
    cx.add(at, Facet::MaxProperties(limit))
}

/// The limit; checks that the value is a map with string keys and the limit is in range.
pub(super) fn limit<'a>(cx: &Cx<'a>, at: &At<'a>, link: &Link) -> Result<i64, Misuse> {
    let resolved = cx.resolved(at);
    let TypeRef::Map(key, _) = resolved.base else {
        let types = format!("map types ({})", cx.pointer_text(at));
        return Err(Misuse::only_on(types));
    };
    if resolved.pointers > 0 {
        let types = format!("map types ({})", cx.pointer_text(at));
        return Err(Misuse::only_on(types));
    }
    if cx.view.scalar(key) != Some(Scalar::String) {
        let types = format!("map types with string-based keys ({})", cx.pointer_text(at));
        return Err(Misuse::only_on(types));
    }
    let limit = not_negative(link)?;
    if limit > MAX {
        return Err(Misuse::new(format!("must be less than or equal to {MAX}")).in_value(link));
    }
    Ok(limit)
}

const MAX: i64 = 100_000;
