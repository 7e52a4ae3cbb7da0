//! `+k8s:validation-gen-input=<import path>`: the types are in another package.

use kindsmith_gostd::quote::quote;
use kindsmith_schema::{Owner, Str};

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse, nothing};
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Package],
    docs: include_str!("validation_gen_input.md"),
    ..Tag::control(NAME, apply)
};

const NAME: &str = "k8s:validation-gen-input";

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, link: &Link) -> Answer {
    let path: Str = link.text().into();
    if path.starts_with("./") || path.starts_with("../") {
        let text = format!(
            "+{NAME}: relative path {} is not supported; use the full package import path",
            quote(&path)
        );
        return Misuse::new(text).in_value(link).into();
    }
    if let Owner::Package(index) = at.owner {
        cx.edit(move |builder| builder.package_mut(index).options.validation_input = Some(path));
    }
    nothing()
}
