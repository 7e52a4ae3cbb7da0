//! `+kubebuilder:validation:AtMostOneOf=<a>;<b>`: at most one of the named members is set.

use crate::grammar::marker::{ArgumentType, Arguments, MarkerValues};
use crate::marker::Node;
use crate::tag::{Scope, Tag};
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    types: "structs",
    docs: include_str!("at_most_one_of.md"),
    ..Tag::schema(
        "kubebuilder:validation:AtMostOneOf",
        &[Scope::Type],
        Arguments::One(ArgumentType::Texts),
        apply,
    )
    .priority(11)
};

fn apply(_: &mut Node, values: &MarkerValues) -> Result<Option<Facet>, String> {
    let members = values.texts("");
    let nested: Vec<&str> = members
        .iter()
        .copied()
        .filter(|member| member.contains('.'))
        .collect();
    if !nested.is_empty() {
        return Err(format!(
            "kubebuilder:validation:AtMostOneOf: cannot reference nested fields: {}",
            nested.join(",")
        ));
    }
    Ok(Some(Facet::AtMostOneOf(
        members.into_iter().map(Into::into).collect(),
    )))
}
