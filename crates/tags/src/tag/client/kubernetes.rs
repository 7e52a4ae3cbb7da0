//! `+kubernetes<:…>`: markers of older generators.

use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    docs: include_str!("kubernetes.md"),
    ..Tag::kept("kubernetes", &[Scope::Package, Scope::Type, Scope::Field])
};
