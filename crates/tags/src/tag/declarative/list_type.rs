//! `+k8s:listType=atomic|set|map`: how a list is merged, and how its items are identified.

use kindsmith_schema::{Facet, GoKind, ListType, TypeRef};

use crate::go_type;
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Later, Misuse, Semantic};
use crate::tag::{Kind, Payload, Tag};

pub(super) const TAG: Tag = Tag {
    types: "lists",
    payload: Payload::Required(Kind::String),
    docs: include_str!("list_type.md"),
    ..Tag::declarative("k8s:listType", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    let element = element(cx, at)?;
    let link = &links[0];
    let meta = cx.lists.at(&at.path);
    if meta.shared.is_some() {
        return Misuse::new("listType cannot be specified more than once").into();
    }
    let unique = matches!(meta.semantic, Some(Semantic::Set | Semantic::Map));
    let (list_type, semantic) = match link.text() {
        "atomic" => (ListType::Atomic, Semantic::Atomic),
        "set" => (ListType::Set, Semantic::Set),
        "map" => (ListType::Map, Semantic::Map),
        other => {
            return Misuse::new(format!("unknown list type {other:?}"))
                .in_value(link)
                .help("use atomic, set or map")
                .into();
        }
    };
    meta.shared = Some(list_type != ListType::Atomic);
    if unique && list_type != ListType::Atomic {
        let text = format!("unique tag is redundant for listType={:?}", link.text());
        return Misuse::new(text).help("remove +k8s:unique").into();
    }
    if list_type == ListType::Map {
        of_structs(cx, element)?;
    }
    let meta = cx.lists.at(&at.path);
    if !unique {
        meta.semantic = Some(semantic);
    }
    cx.later.push(Later::List(at.clone()));
    cx.add(at, Facet::ListType(list_type))
}

/// The type of the elements of the list here.
pub(super) fn element<'a>(cx: &Cx<'a>, at: &At<'a>) -> Result<&'a TypeRef, Misuse> {
    let resolved = cx.resolved(at);
    let kind = resolved.kind(cx.view);
    match cx.view.underlying(resolved.base) {
        TypeRef::List(element) | TypeRef::Array(_, element) if resolved.pointers == 0 => Ok(element),
        _ => Err(Misuse::only_on(format_args!("list types ({})", kind.name()))),
    }
}

/// Checks that elements are structs or pointers to structs, if known.
pub(super) fn of_structs<'a>(cx: &Cx<'a>, element: &'a TypeRef) -> Result<(), Misuse> {
    match cx.view.kind(go_type::resolved(cx.view, element).base) {
        GoKind::Struct | GoKind::Unknown => Ok(()),
        _ => Err(Misuse::new("only lists of structs can be list-maps")),
    }
}
