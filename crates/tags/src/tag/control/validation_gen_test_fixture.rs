//! `+k8s:validation-gen-test-fixture=validateFalse`: a test file is written too.

use kindsmith_schema::{Owner, Str};

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse, nothing};
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Package],
    docs: include_str!("validation_gen_test_fixture.md"),
    ..Tag::control(NAME, apply)
};

const NAME: &str = "k8s:validation-gen-test-fixture";

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, link: &Link) -> Answer {
    let value: Str = link.text().into();
    if &*value != "validateFalse" {
        let text = format!(
            "Package {:?}: {NAME} must be one of '[validateFalse]', but got: {value}",
            at.path
        );
        return Misuse::whole("panic: ", text).in_value(link).into();
    }
    if let Owner::Package(index) = at.owner {
        cx.edit(move |builder| builder.package_mut(index).options.test_fixture = Some(value));
    }
    nothing()
}
