//! `+resourceName=<plural>`: the plural name in generated clients.

use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    docs: include_str!("resource_name.md"),
    ..Tag::kept("resourceName", &[Scope::Type])
};
