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
    // If there are several, the first counts.
    let group = || values.text("").unwrap_or_default().into();
    package.group.get_or_insert_with(group);
}
