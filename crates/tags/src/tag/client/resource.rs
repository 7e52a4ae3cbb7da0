//! `+resource=<…>`: a resource, for older API server builders.

use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    aliases: &["resource:path", "subresource", "subresource-request"],
    docs: include_str!("resource.md"),
    ..Tag::kept("resource", &[Scope::Type])
};
