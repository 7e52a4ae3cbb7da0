//! `+k8s:openapi-gen=true|false`: whether openapi-gen publishes the package, type or field.

use kindsmith_schema::{Facet, Family, Owner};

use super::recorded::record;
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, nothing};
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Package, Scope::Type, Scope::Field],
    docs: include_str!("openapi_gen.md"),
    ..Tag::control("k8s:openapi-gen", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, link: &Link) -> Answer {
    if let Some((name, value)) = link.text().split_once(':')
        && name.starts_with("x-kubernetes-")
    {
        let facet = Facet::Extension {
            name: name.into(),
            value: value.into(),
        };
        cx.add_of(at, Family::OpenApi, facet);
        return nothing();
    }
    let on = link.text() == "true";
    match (at.owner, link.text()) {
        (Owner::Package(index), "true" | "false") => {
            cx.edit(move |builder| builder.package_mut(index).options.openapi = Some(on));
            nothing()
        }
        (Owner::Type(id), "true" | "false") => {
            cx.edit(move |builder| builder.ty_mut(id).options.openapi = Some(on));
            nothing()
        }
        _ => record(cx, at, link),
    }
}
