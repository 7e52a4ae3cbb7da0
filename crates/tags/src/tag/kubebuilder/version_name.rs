//! `+versionName=<version>`: the API version of the package.

use crate::grammar::marker::{ArgumentType, Arguments, MarkerValues};
use crate::tag::Tag;
use kindsmith_schema::Package;

pub(super) const TAG: Tag = Tag {
    types: "packages",
    docs: include_str!("version_name.md"),
    ..Tag::package("versionName", Arguments::One(ArgumentType::Text), apply)
};

fn apply(package: &mut Package, values: &MarkerValues) {
    // If there are several, the first counts.
    if package.version.is_none() {
        package.version = values.text("").map(Into::into);
    }
}
