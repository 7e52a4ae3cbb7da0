//! `+kubebuilder:skip`: the package is not an API version.

use crate::grammar::marker::{Arguments, MarkerValues};
use crate::tag::Tag;
use kindsmith_schema::Package;

pub(super) const TAG: Tag = Tag {
    types: "packages",
    docs: include_str!("skip.md"),
    ..Tag::package("kubebuilder:skip", Arguments::None, apply)
};

fn apply(package: &mut Package, _: &MarkerValues) {
    package.options.skip = true;
}
