//! `+k8s:listMapKey=<JSON name>`: a member that identifies items of a list map.

use kindsmith_schema::{Facet, Family, GoKind};

use super::list_type::{element, of_structs};
use crate::go_type;
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse, nothing};
use crate::tag::{Kind, Payload, Tag};

pub(super) const TAG: Tag = Tag {
    types: "lists of structs",
    payload: Payload::Required(Kind::String),
    docs: include_str!("list_map_key.md"),
    ..Tag::declarative("k8s:listMapKey", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    let answer = key(cx, at, &links[0]);
    if answer.is_err() {
        cx.lists.at(&at.path).broken = true;
    }
    answer
}

fn key<'a>(cx: &mut Cx<'a>, at: &At<'a>, link: &Link) -> Answer {
    let element = element(cx, at)?;
    of_structs(cx, element)?;
    let Some(fields) = go_type::resolved(cx.view, element).fields(cx.view) else {
        // A type whose members were not found: its keys cannot be checked.
        cx.lists.at(&at.path).broken = true;
        cx.add_of(at, Family::Declarative, Facet::ListMapKey(link.text().into()));
        return nothing();
    };
    let Some(field) = go_type::member(fields, link.text()) else {
        let text = format!("no field for JSON name {:?}", link.text());
        return Misuse::new(text).in_value(link).into();
    };
    let resolved = go_type::resolved(cx.view, &field.ty);
    let primitive = matches!(cx.view.kind(resolved.base), GoKind::Builtin | GoKind::Unknown);
    if resolved.pointers > 1 || !primitive {
        let text = format!(
            "only primitive types and pointers to primitive types can be list-map keys, not {}",
            go_type::text(cx.view, &field.ty)
        );
        return Misuse::new(text).in_value(link).into();
    }
    let key = (link.text().to_owned(), field);
    cx.lists.at(&at.path).keys.push(key);
    cx.add_of(at, Family::Declarative, Facet::ListMapKey(link.text().into()));
    nothing()
}
