//! `+required`: the field must be set.

use crate::grammar::marker::{Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::{Scope, Tag};
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    docs: include_str!("required.md"),
    ..Tag::shared("required", &[Scope::Field], Arguments::None, apply, openapi)
};

fn apply(_: &mut Node, _: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    Ok(Some(Facet::Required))
}

fn openapi(_: &str) -> Option<Facet> {
    Some(Facet::Required)
}
