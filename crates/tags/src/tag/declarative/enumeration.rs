//! `+k8s:enum`: the value is one of the constants of its type.

use kindsmith_schema::Facet;

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse};
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Type],
    types: "named string types",
    docs: include_str!("enumeration.md"),
    ..Tag::declarative("k8s:enum", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, _: &[Link]) -> Answer {
    let resolved = cx.resolved(at);
    if resolved.pointers > 0 || !resolved.is_string() {
        let types = format!("string types ({})", cx.pointer_text(at));
        return Misuse::only_on(types).into();
    }
    cx.add(at, Facet::Enum)
}
