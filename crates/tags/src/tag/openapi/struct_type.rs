//! `+structType=<granular|atomic>`: how a struct is merged.

use crate::grammar::marker::{ArgumentType, Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::{Scope, Tag};
use kindsmith_schema::{Facet, MapType};

pub(super) const TAG: Tag = Tag {
    types: "structs",
    docs: include_str!("struct_type.md"),
    ..Tag::shared(
        "structType",
        &[Scope::Field, Scope::Type],
        Arguments::One(ArgumentType::Text),
        apply,
        openapi,
    )
};

fn apply(node: &mut Node, values: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    if !matches!(node.ty.as_str(), "object" | "") {
        return Err(Unfit::Type("must apply structType to an object; either explicitly set or defaulted through an empty schema type".to_owned()));
    }
    let value = values.text("").unwrap_or_default();
    openapi(value)
        .map(Some)
        .ok_or_else(|| Unfit::Value(r#"StructType must be either "granular" or "atomic""#.to_owned()))
}

fn openapi(value: &str) -> Option<Facet> {
    Some(Facet::StructType(match value {
        "atomic" => MapType::Atomic,
        "granular" => MapType::Granular,
        _ => return None,
    }))
}
