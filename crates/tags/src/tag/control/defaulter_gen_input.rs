//! `+k8s:defaulter-gen-input=<import path>`: the types are in another package.

use kindsmith_gostd::quote::quote;
use kindsmith_schema::{Owner, Str};

use crate::finding;
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse, nothing};
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Package],
    docs: include_str!("defaulter_gen_input.md"),
    ..Tag::control("k8s:defaulter-gen-input", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, link: &Link) -> Answer {
    if link.text().starts_with("./") || link.text().starts_with("../") {
        let text = format!(
            "+k8s:defaulter-gen-input: relative path {} is not supported; use the full package import path",
            quote(link.text())
        );
        return Err(Misuse::new(text)
            .with_finding(&finding::DEFAULTER_TAG)
            .in_value(link));
    }
    let path: Str = link.text().into();
    if let Owner::Package(index) = at.owner {
        cx.edit(move |builder| builder.package_mut(index).options.defaulter_input = Some(path));
    }
    nothing()
}
