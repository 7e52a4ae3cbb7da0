//! `+kubebuilder:validation:Type=<type>`: the published type, whatever the Go type is.

use crate::grammar::marker::{ArgumentType, Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::Tag;
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    docs: include_str!("type.md"),
    ..Tag::validation(
        "kubebuilder:validation:Type",
        Arguments::One(ArgumentType::Text),
        apply,
    )
    .priority(9)
};

fn apply(node: &mut Node, values: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    let published = values.text("").unwrap_or_default();
    if let Some(behind) = node.behind.as_deref().filter(|behind| *behind != published) {
        return Err(Unfit::Other(format!(
            "conflicting types in allOf branches in schema: {behind} vs {published}"
        )));
    }
    node.ty = published.to_owned();
    Ok(Some(Facet::Type(published.into())))
}
