//! `+k8s:default=<JSON>`: another name for `+default`.

use kindsmith_json::Arena;
use kindsmith_schema::{Default, Json};

use crate::grammar::codetags::Link;
use crate::marker::default_problem;
use crate::read::{Answer, At, Cx, Misuse, nothing, without_comment};
use crate::tag::{Family, Kind, Payload, Scope, Tag};

pub(super) const TAG: Tag = Tag {
    family: Family::Kep,
    scopes: &[Scope::Type, Scope::Field],
    payload: Payload::Required(Kind::Raw),
    kep_only: true,
    docs: include_str!("default.md"),
    ..Tag::control("k8s:default", apply)
};

/// What a field is instead of having a default.
const PRESENCE: [&str; 2] = ["k8s:optional", "k8s:required"];

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, link: &Link) -> Answer {
    let value = Json::parse(without_comment(link.text()))
        .map_err(|error| Misuse::ours(format!("the default is not JSON: {error}")).in_value(link))?;
    if cx.has_marker(at, "default") {
        let text = "+default gives the field a default too";
        return Misuse::ours(text)
            .help("keep one of them; they mean the same")
            .into();
    }
    if let Some(other) = PRESENCE.into_iter().find(|name| cx.has_marker(at, name)) {
        return Misuse::ours(format!("+{other} stands beside it, which KEP-5073 excludes"))
            .help(
                "a field is optional, has a default or is required; +default may stand beside +k8s:optional",
            )
            .into();
    }
    let arena = Arena::new();
    if let Some(ty) = at.ty
        && let Some(problem) = default_problem(cx.view, ty, value.value(&arena))
    {
        return Misuse::ours(problem).in_value(link).into();
    }
    cx.default_if_none(at, Default::Value(value));
    nothing()
}
