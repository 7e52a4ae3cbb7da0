//! `+k8s:ifEnabled(<option>)=<tag>`: the check applies while the option is on.

use kindsmith_schema::{Condition, Exclusion, Wrap};

use super::super::Kind;
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse};
use crate::tag::{Arg, Payload, Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: SCOPES,
    args: &[OPTION],
    payload: Payload::Required(Kind::Tag),
    docs: include_str!("if_enabled.md"),
    since: 35,
    ..Tag::declarative("k8s:ifEnabled", apply)
};

/// Where conditions are allowed.
pub(crate) const SCOPES: &[Scope] = &[
    Scope::Type,
    Scope::Field,
    Scope::ListValue,
    Scope::MapKey,
    Scope::MapValue,
    Scope::Constant,
];

/// The argument of conditions.
pub(crate) const OPTION: Arg = Arg::required("", Kind::String, "name of the option");

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    conditional(cx, at, links, true)
}

/// Evaluates the chained tags under a condition.
pub(crate) fn conditional<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link], enabled: bool) -> Answer {
    let Some(arg) = links[0].positional() else {
        return Misuse::new("missing required option name positional argument").into();
    };
    let condition = Condition::Option {
        name: arg.value.text().into(),
        enabled,
    };
    cx.inner(&at.wrapped(Wrap::If(condition)), links)
}

/// The exclusion from the wrappers around `enumExclude`; upstream uses only one condition.
pub(super) fn exclusion(wraps: &[Wrap]) -> Option<Exclusion> {
    match wraps {
        [] => Some(Exclusion::Always),
        [
            Wrap::If(Condition::Option {
                name: option,
                enabled,
            }),
        ] => Some(Exclusion::When {
            option: option.clone(),
            enabled: *enabled,
        }),
        _ => None,
    }
}
