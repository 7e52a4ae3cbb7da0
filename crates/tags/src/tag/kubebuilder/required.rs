//! `+kubebuilder:validation:Required`: the field must be set.

use crate::grammar::marker::{Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::{Scope, Tag};
use kindsmith_schema::{Facet, Package};

pub(super) const TAG: Tag = Tag {
    docs: include_str!("required.md"),
    ..Tag::schema(
        "kubebuilder:validation:Required",
        &[Scope::Field, Scope::Package],
        Arguments::None,
        apply,
    )
    .on_packages(require)
};

fn apply(_: &mut Node, _: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    Ok(Some(Facet::Required))
}

fn require(_: &mut Package, _: &MarkerValues) {}
