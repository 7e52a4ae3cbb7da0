//! `+k8s:deprecated=<text>`: the field is deprecated.

use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    aliases: &["deprecated"],
    docs: include_str!("deprecated.md"),
    ..Tag::kept("k8s:deprecated", &[Scope::Package, Scope::Type, Scope::Field])
};
