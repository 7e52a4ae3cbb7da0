//! `+kubebuilder:validation:Pattern=<regexp>`: a string matches a regular expression.

use crate::grammar::marker::{ArgumentType, Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::Tag;
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    types: "strings",
    docs: include_str!("pattern.md"),
    ..Tag::validation(
        "kubebuilder:validation:Pattern",
        Arguments::One(ArgumentType::Text),
        apply,
    )
};

fn apply(node: &mut Node, values: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    node.textual("pattern")?;
    Ok(values.text("").map(|pattern| Facet::Pattern(pattern.into())))
}
