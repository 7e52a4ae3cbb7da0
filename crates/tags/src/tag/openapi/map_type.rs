//! `+mapType=<granular|atomic>`: how a map is merged.

use crate::grammar::marker::{ArgumentType, Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::{Scope, Tag};
use kindsmith_schema::{Facet, MapType};

pub(super) const TAG: Tag = Tag {
    types: "maps",
    docs: include_str!("map_type.md"),
    ..Tag::shared(
        "mapType",
        &[Scope::Field, Scope::Type],
        Arguments::One(ArgumentType::Text),
        apply,
        openapi,
    )
};

fn apply(node: &mut Node, values: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    node.object("mapType")?;
    let value = values.text("").unwrap_or_default();
    openapi(value)
        .map(Some)
        .ok_or_else(|| Unfit::Value(r#"MapType must be either "granular" or "atomic""#.to_owned()))
}

fn openapi(value: &str) -> Option<Facet> {
    Some(Facet::MapType(match value {
        "atomic" => MapType::Atomic,
        "granular" => MapType::Granular,
        _ => return None,
    }))
}
