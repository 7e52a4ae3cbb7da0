//! `+k8s:enumExclude`: the constant is not a value of its enum.

use kindsmith_schema::{Level, Owner};

use super::if_enabled::exclusion;
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse, nothing};
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    stability: Level::Alpha,
    scopes: &[Scope::Constant],
    types: "constants of an enum",
    docs: include_str!("enum_exclude.md"),
    since: 35,
    ..Tag::declarative("k8s:enumExclude", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, _: &[Link]) -> Answer {
    let Owner::Constant(id, index) = at.owner else {
        return nothing();
    };
    let Some(exclusion) = exclusion(&at.wraps) else {
        return Misuse::ours("only one condition can be put around +k8s:enumExclude")
            .help("validation-gen ignores the tag under several conditions")
            .into();
    };
    cx.edit(move |builder| {
        if let Some(constant) = builder.ty_mut(id).constants.get_mut(index as usize) {
            constant.exclusions.push(exclusion);
        }
    });
    nothing()
}
