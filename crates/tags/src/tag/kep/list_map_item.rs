//! `+k8s:listMapItem(<key>: <value>, …)=<tag>`: another name for `+k8s:item`.

use crate::tag::declarative::item;
use crate::tag::{Kind, Payload, Tag};

pub(super) const TAG: Tag = Tag {
    types: "lists of structs",
    open_args: true,
    payload: Payload::Required(Kind::Tag),
    docs: include_str!("list_map_item.md"),
    ..Tag::kep("k8s:listMapItem", item::apply)
};
