//! `+k8s:maxLength=<n>`: a string has at most `n` characters.

use kindsmith_schema::Facet;

use super::number;
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse};
use crate::tag::{Kind, Payload, Tag};

pub(super) const TAG: Tag = Tag {
    types: "strings",
    payload: Payload::Required(Kind::Int),
    docs: include_str!("max_length.md"),
    since: 35,
    ..Tag::declarative("k8s:maxLength", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    is_string(cx, at)?;
    let limit = not_negative(&links[0])?;
    cx.add(at, Facet::MaxLength(limit))
}

/// Checks that the value is a string.
pub(super) fn is_string<'a>(cx: &Cx<'a>, at: &At<'a>) -> Result<(), Misuse> {
    if cx.resolved(at).is_string() || cx.is_unknown(at) {
        return Ok(());
    }
    let types = format!("string types ({})", cx.root_text(at));
    Err(Misuse::only_on(types))
}

/// The value as a number.
pub(super) fn int(link: &Link) -> Result<i64, Misuse> {
    number::int(link.text())
        .map_err(|reason| Misuse::new(format!("failed to parse tag payload as int: {reason}")).in_value(link))
}

/// The value as a number that is not negative.
pub(super) fn not_negative(link: &Link) -> Result<i64, Misuse> {
    let value = int(link)?;
    if value < 0 {
        return Err(Misuse::new("must be greater than or equal to zero").in_value(link));
    }
    Ok(value)
}
