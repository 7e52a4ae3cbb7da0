//! `+nullable`: `null` is a value of its own.

use crate::grammar::marker::{Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::{Scope, Tag};
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    docs: include_str!("nullable.md"),
    ..Tag::schema("nullable", &[Scope::Field], Arguments::None, apply)
};

fn apply(_: &mut Node, _: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    Ok(Some(Facet::Nullable))
}
