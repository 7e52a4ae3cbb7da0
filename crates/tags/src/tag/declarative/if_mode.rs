//! `+k8s:ifMode("<mode>")=<tag>`: the check applies in this mode.

use kindsmith_schema::{Condition, Wrap};

use super::mode_discriminator::{MODALITY, reserved};
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Later, Misuse, something};
use crate::tag::{Arg, Kind, Payload, Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Field],
    types: "pointers, lists, maps and scalars",
    args: &[
        Arg::optional("", Kind::String, "the discriminator's value"),
        MODALITY,
        Arg::optional(
            "mode",
            Kind::String,
            "the discriminator's value, together with `modality`",
        ),
    ],
    payload: Payload::Required(Kind::Tag),
    docs: include_str!("if_mode.md"),
    since: 37,
    ..Tag::declarative("k8s:ifMode", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    let link = &links[0];
    let modality = link.named(MODALITY.name).map(|arg| arg.value.text());
    reserved(modality.unwrap_or_default())?;
    let Some(mode) = link.named("mode").or_else(|| link.positional()) else {
        return Misuse::new("missing required mode").into();
    };
    let mode = mode.value.text().to_owned();
    let condition = Condition::Mode {
        modality: modality.filter(|name| !name.is_empty()).map(Into::into),
        mode: mode.as_str().into(),
    };
    let field = at.member.map_or("", |field| &*field.name).to_owned();
    let group = cx.groups.modes(&at.modes_path(), modality.unwrap_or_default());
    group.members.entry(field).or_default().push((mode, at.clone()));
    cx.later.push(Later::Modes(at.clone()));
    cx.inner(&at.wrapped(Wrap::If(condition)), links)?;
    something()
}
