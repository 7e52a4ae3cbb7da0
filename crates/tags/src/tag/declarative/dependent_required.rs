//! `+k8s:dependentRequired("<JSON name>")`: when this field is set, the sibling must be set.

use kindsmith_schema::{Facet, Field, GoKind, Level, Str};

use crate::go_type;
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse};
use crate::tag::{Arg, Kind, Scope, Tag};

pub(super) const TAG: Tag = Tag {
    stability: Level::Alpha,
    scopes: &[Scope::Field],
    types: "pointers, lists, maps and builtin scalars",
    args: &[SIBLING],
    docs: include_str!("dependent_required.md"),
    since: 37,
    ..Tag::declarative("k8s:dependentRequired", apply)
};

pub(super) const SIBLING: Arg = Arg::required("", Kind::String, "JSON name of the sibling");

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    let sibling = sibling(cx, at, &links[0])?;
    cx.add(at, Facet::DependentRequired(sibling))
}

/// The sibling of a dependency, if both fields can be recognized as set.
pub(super) fn sibling<'a>(cx: &mut Cx<'a>, at: &At<'a>, link: &Link) -> Result<Str, Misuse> {
    let (Some(trigger), Some(parent), Some(arg)) = (at.member, at.parent, link.positional()) else {
        return Err(Misuse::new("must be used on a struct field"));
    };
    let name = arg.value.text();
    let siblings = go_type::resolved(cx.view, parent)
        .fields(cx.view)
        .unwrap_or_default();
    let Some(dependent) = go_type::member(siblings, name) else {
        return Err(Misuse::new(format!("no sibling field with JSON name {name:?}")).in_arg(arg));
    };
    if dependent.name == trigger.name {
        let text = format!("trigger and dependent field must be different (both are {name:?})");
        return Err(Misuse::new(text).in_arg(arg));
    }
    if trigger.json_name().unwrap_or_default().is_empty() {
        let text = format!("trigger field {:?} has no JSON name", trigger.name);
        return Err(Misuse::new(text));
    }
    check_kind(cx, "trigger", trigger)?;
    check_kind(cx, "dependent", dependent).map_err(|misuse| misuse.in_arg(arg))?;
    cx.check_plain_scalar(at, &trigger.ty);
    cx.check_plain_scalar(at, &dependent.ty);
    Ok(name.into())
}

fn check_kind<'a>(cx: &Cx<'a>, role: &str, field: &'a Field) -> Result<(), Misuse> {
    let kind = go_type::resolved(cx.view, &field.ty).kind(cx.view);
    if matches!(
        kind,
        GoKind::Pointer | GoKind::Map | GoKind::Slice | GoKind::Builtin | GoKind::Unknown
    ) {
        return Ok(());
    }
    let text = format!(
        "{role} field {:?} has unsupported type kind {}",
        field.name,
        kind.name()
    );
    Err(Misuse::new(text).help("make the field a pointer"))
}
