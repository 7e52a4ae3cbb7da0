//! `+kubebuilder:validation:Optional`: the field is optional.

use crate::grammar::marker::{Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::{Scope, Tag};
use kindsmith_schema::{Facet, Package};

pub(super) const TAG: Tag = Tag {
    docs: include_str!("optional.md"),
    ..Tag::schema(
        "kubebuilder:validation:Optional",
        &[Scope::Field, Scope::Package],
        Arguments::None,
        apply,
    )
    .on_packages(relax)
};

fn apply(_: &mut Node, _: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    Ok(Some(Facet::Optional))
}

fn relax(package: &mut Package, _: &MarkerValues) {
    package.options.optional_by_default = true;
}
