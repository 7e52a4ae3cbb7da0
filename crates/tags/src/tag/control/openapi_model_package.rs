//! `+k8s:openapi-model-package=<name>`: the first part of published model names.

use kindsmith_schema::{Owner, Str};

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, nothing};
use crate::tag::Tag;

pub(super) const TAG: Tag = Tag {
    docs: include_str!("openapi_model_package.md"),
    ..Tag::control("k8s:openapi-model-package", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, link: &Link) -> Answer {
    let name: Str = link.text().into();
    match at.owner {
        Owner::Package(index) => {
            cx.edit(move |builder| builder.package_mut(index).options.model_package = Some(name));
        }
        Owner::Type(id) => cx.edit(move |builder| builder.ty_mut(id).options.model_package = Some(name)),
        Owner::Field(_) | Owner::Constant(..) => {}
    }
    nothing()
}
