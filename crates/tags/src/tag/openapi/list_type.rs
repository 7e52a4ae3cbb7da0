//! `+listType=<atomic|set|map>`: how a list is merged.

use crate::grammar::marker::{ArgumentType, Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::{Scope, Tag};
use kindsmith_schema::{Facet, ListType};

pub(super) const TAG: Tag = Tag {
    types: "lists",
    docs: include_str!("list_type.md"),
    ..Tag::shared(
        "listType",
        &[Scope::Field, Scope::Type],
        Arguments::One(ArgumentType::Text),
        apply,
        openapi,
    )
    .priority(9)
};

fn apply(node: &mut Node, values: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    let value = values.text("").unwrap_or_default();
    node.array(&format!("must apply listType to an array, found {}", node.ty))?;
    node.list_type = Some(value.to_owned());
    openapi(value)
        .map(Some)
        .ok_or_else(|| Unfit::Value(r#"ListType must be either "map", "set" or "atomic""#.to_owned()))
}

fn openapi(value: &str) -> Option<Facet> {
    Some(Facet::ListType(match value {
        "atomic" => ListType::Atomic,
        "set" => ListType::Set,
        "map" => ListType::Map,
        _ => return None,
    }))
}
