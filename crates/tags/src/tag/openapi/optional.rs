//! `+optional`: the field is optional.

use crate::grammar::marker::{Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::{Scope, Tag};
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    docs: include_str!("optional.md"),
    ..Tag::shared("optional", &[Scope::Field], Arguments::None, apply, openapi)
};

fn apply(_: &mut Node, _: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    Ok(Some(Facet::Optional))
}

fn openapi(_: &str) -> Option<Facet> {
    Some(Facet::Optional)
}
