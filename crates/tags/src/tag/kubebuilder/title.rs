//! `+kubebuilder:title=<text>`: a title.

use crate::grammar::marker::{ArgumentType, Arguments, MarkerValue, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::{Scope, Tag};
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    docs: include_str!("title.md"),
    ..Tag::schema(
        "kubebuilder:title",
        &[Scope::Field, Scope::Type],
        Arguments::One(ArgumentType::Any),
        apply,
    )
};

fn apply(_: &mut Node, values: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    match values.get("") {
        Some(title @ MarkerValue::Text(_)) => Ok(Some(Facet::Title(title.to_schema_json()))),
        Some(other) => Err(Unfit::Other(format!("expected string, got {}", other.go_type()))),
        None => Ok(None),
    }
}
