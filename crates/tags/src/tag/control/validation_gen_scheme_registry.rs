//! `+k8s:validation-gen-scheme-registry=<type>`: where generated functions are registered.

use kindsmith_schema::{Owner, Str};

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse, nothing};
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Package],
    docs: include_str!("validation_gen_scheme_registry.md"),
    ..Tag::control(NAME, apply)
};

const NAME: &str = "k8s:validation-gen-scheme-registry";

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, link: &Link) -> Answer {
    if !cx.is_first(at, NAME) {
        let text = format!("Package {:?} contains more than one usage of {NAME:?}", at.path);
        return Misuse::whole("panic: ", text).into();
    }
    let registry: Str = link.text().into();
    if let Owner::Package(index) = at.owner {
        cx.edit(move |builder| builder.package_mut(index).options.scheme_registry = Some(registry));
    }
    nothing()
}
