//! `+k8s:eachKey=<tag>`: the check applies to every key of a map.

use kindsmith_schema::{TypeRef, Wrap};

use super::each_val::some;
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse};
use crate::tag::{Kind, Payload, Scope, Tag};

pub(super) const TAG: Tag = Tag {
    types: "maps",
    payload: Payload::Required(Kind::Tag),
    docs: include_str!("each_key.md"),
    ..Tag::declarative("k8s:eachKey", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    let resolved = cx.resolved(at);
    let kind = resolved.kind(cx.view);
    let TypeRef::Map(key, _) = resolved.base else {
        return Misuse::only_on(format_args!("map types ({})", kind.name())).into();
    };
    if resolved.pointers > 0 {
        return Misuse::only_on(format_args!("map types ({})", kind.name())).into();
    }
    let path = format!("{}[(keys)]", at.path);
    let inner = at.inside(Wrap::EachKey, Scope::MapKey, key, path);
    some(cx.inner(&inner, links)?)
}
