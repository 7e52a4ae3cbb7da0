//! `+kubebuilder:validation:Enum=<a>;<b>`: the value is one of a list.

use crate::grammar::marker::{ArgumentType, Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::Tag;
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    docs: include_str!("enum.md"),
    ..Tag::validation(
        "kubebuilder:validation:Enum",
        Arguments::One(ArgumentType::Anys),
        apply,
    )
};

fn apply(_: &mut Node, values: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    let items = values.list("").iter().map(|item| item.to_schema_json());
    Ok(Some(Facet::EnumValues(items.collect())))
}
