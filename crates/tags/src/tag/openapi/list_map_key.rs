//! `+listMapKey=<member>`: a member that identifies the items of a list.

use crate::grammar::marker::{ArgumentType, Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::{Scope, Tag};
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    types: "lists of structs",
    docs: include_str!("list_map_key.md"),
    ..Tag::shared(
        "listMapKey",
        &[Scope::Field, Scope::Type],
        Arguments::One(ArgumentType::Text),
        apply,
        openapi,
    )
};

fn apply(node: &mut Node, values: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    node.array(&format!("must apply listMapKey to an array, found {}", node.ty))?;
    if node.list_type.as_deref() != Some("map") {
        return Err(Unfit::Type(
            "must apply listMapKey to an associative-list".to_owned(),
        ));
    }
    Ok(values.text("").and_then(openapi))
}

fn openapi(value: &str) -> Option<Facet> {
    Some(Facet::ListMapKey(value.into()))
}
