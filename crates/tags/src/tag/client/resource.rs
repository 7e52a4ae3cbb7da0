//! `+resource=<…>`: a resource, to older builders of API servers.

use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    aliases: &["resource:path", "subresource", "subresource-request"],
    docs: include_str!("resource.md"),
    ..Tag::kept("resource", &[Scope::Type])
};
