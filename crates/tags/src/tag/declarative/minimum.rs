//! `+k8s:minimum=<n>`: an integer is not below `n`.

use kindsmith_schema::{Bound, Facet, Json, Limit, Scalar};

use super::number;
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse};
use crate::tag::{Arg, Kind, Payload, Tag};

pub(super) const TAG: Tag = Tag {
    types: "integers",
    args: &[CONSTRAINT, TARGET],
    payload: Payload::Required(Kind::Int),
    docs: include_str!("minimum.md"),
    ..Tag::declarative("k8s:minimum", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    add(cx, at, &links[0], false, Facet::Minimum)
}

/// Adds a bound on the value here, or on the target that the tag names.
pub(crate) fn add<'a>(
    cx: &mut Cx<'a>,
    at: &At<'a>,
    link: &Link,
    exclusive: bool,
    facet: fn(Bound) -> Facet,
) -> Answer {
    let target = match link.named(TARGET.name) {
        Some(arg) => Some(cx.target(at, arg)?),
        None => None,
    };
    let at = target.as_ref().unwrap_or(at);
    let limit = limit(cx, at, link)?;
    cx.add(at, facet(Bound { limit, exclusive }))
}

/// The argument for a bound that stands on the struct type of both fields.
pub(crate) const TARGET: Arg = Arg {
    kep_only: true,
    ..Arg::optional(
        "target",
        Kind::String,
        "on a struct type: JSON names of the field with the limit, joined by dots",
    )
};

/// The argument for a bound given by another field.
pub(crate) const CONSTRAINT: Arg = Arg {
    kep_only: true,
    ..Arg::optional(
        "constraint",
        Kind::String,
        "JSON names of another field, joined by dots, from the struct that holds this one",
    )
};

/// The limit of an integer: its value, or the field that it names.
fn limit<'a>(cx: &Cx<'a>, at: &At<'a>, link: &Link) -> Result<Limit, Misuse> {
    let ty = match cx.resolved(at).integer() {
        None if cx.is_unknown(at) => Some(Scalar::Int64),
        ty => ty,
    };
    let Some(ty) = ty else {
        let types = format!("integer types ({})", cx.root_text(at));
        return Err(Misuse::only_on(types));
    };
    if let Some(arg) = link.named(CONSTRAINT.name) {
        let names = cx.field_path(at, arg)?;
        return Ok(Limit::Field(names));
    }
    let value = number::sized(link.text(), ty)
        .map_err(|reason| Misuse::new(format!("failed to parse tag payload: {reason}")).in_value(link))?;
    Ok(Limit::Number(Json::int(value)))
}
