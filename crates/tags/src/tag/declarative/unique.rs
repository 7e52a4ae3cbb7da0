//! `+k8s:unique=set|map`: how items of an atomic list are identified.

use kindsmith_schema::{Facet, UniqueKind};

use super::list_type::{element, of_structs};
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Later, Misuse, Semantic};
use crate::tag::{Kind, Payload, Tag};

pub(super) const TAG: Tag = Tag {
    types: "lists",
    payload: Payload::Required(Kind::String),
    docs: include_str!("unique.md"),
    since: 35,
    ..Tag::declarative("k8s:unique", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    let element = element(cx, at)?;
    let link = &links[0];
    let meta = cx.lists.at(&at.path);
    if meta.shared == Some(true) {
        let text = "unique tag may not be used with listType=set or listType=map";
        return Misuse::new(text)
            .help("remove +k8s:unique, or use +k8s:listType=atomic")
            .into();
    }
    if matches!(meta.semantic, Some(Semantic::Set | Semantic::Map)) {
        return Misuse::new("unique tag cannot be specified more than once").into();
    }
    let (kind, semantic) = match link.text() {
        "set" => (UniqueKind::Set, Semantic::Set),
        "map" => (UniqueKind::Map, Semantic::Map),
        other => {
            return Misuse::new(format!("unknown unique type {other:?}"))
                .in_value(link)
                .help("use set or map")
                .into();
        }
    };
    if kind == UniqueKind::Map {
        of_structs(cx, element)?;
    }
    cx.lists.at(&at.path).semantic = Some(semantic);
    cx.later.push(Later::List(at.clone()));
    cx.add(at, Facet::Unique(kind))
}
