//! `+resourceName=<plural>`: the plural name generated clients use.

use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    docs: include_str!("resource_name.md"),
    ..Tag::kept("resourceName", &[Scope::Type])
};
