//! `+groupName=<group>`: the API group of the package.

use crate::grammar::marker::{ArgumentType, Arguments, MarkerValues};
use crate::tag::Tag;
use kindsmith_schema::Package;

pub(super) const TAG: Tag = Tag {
    types: "packages",
    docs: include_str!("group_name.md"),
    ..Tag::package("groupName", Arguments::OneOptional(ArgumentType::Text), apply)
};

fn apply(package: &mut Package, values: &MarkerValues) {
    package.group = Some(values.text("").unwrap_or_default().into());
}
