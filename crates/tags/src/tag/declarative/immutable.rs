//! `+k8s:immutable`: the value never changes.

use kindsmith_schema::Facet;

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse};
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Type, Scope::Field, Scope::ListValue, Scope::MapValue],
    docs: include_str!("immutable.md"),
    ..Tag::declarative("k8s:immutable", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, _: &[Link]) -> Answer {
    if at.scope == Scope::Type && !cx.is_upstream() {
        let text = "KEP-5073 allows it on fields only, not on type declarations";
        return Misuse::ours(text).help("put it on the fields of the type").into();
    }
    cx.add(at, Facet::Immutable)
}
