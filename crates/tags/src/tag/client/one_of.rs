//! `+oneOf`: the members exclude each other.

use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    aliases: &["zeroOrOneOf"],
    docs: include_str!("one_of.md"),
    ..Tag::kept("oneOf", &[Scope::Field, Scope::Type])
};
