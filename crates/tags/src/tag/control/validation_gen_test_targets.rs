//! `+k8s:validation-gen-test-targets`: a coverage test is written too.

use kindsmith_schema::Owner;

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, nothing};
use crate::tag::{Payload, Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Package],
    payload: Payload::None,
    docs: include_str!("validation_gen_test_targets.md"),
    ..Tag::control("k8s:validation-gen-test-targets", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, _: &Link) -> Answer {
    if let Owner::Package(index) = at.owner {
        cx.edit(move |builder| builder.package_mut(index).options.test_targets = true);
    }
    nothing()
}
