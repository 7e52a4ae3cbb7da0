//! `+k8s:validation-gen-nolint`: the package or type is not linted.

use kindsmith_schema::Owner;

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, nothing};
use crate::tag::{Payload, Tag};

pub(super) const TAG: Tag = Tag {
    payload: Payload::None,
    docs: include_str!("validation_gen_nolint.md"),
    ..Tag::control("k8s:validation-gen-nolint", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, _: &Link) -> Answer {
    match at.owner {
        Owner::Package(index) => cx.edit(move |builder| builder.package_mut(index).options.no_lint = true),
        Owner::Type(id) => cx.edit(move |builder| builder.ty_mut(id).options.no_lint = true),
        Owner::Field(_) | Owner::Constant(..) => {}
    }
    nothing()
}
