//! `+k8s:prerelease-lifecycle-gen:removed`: the release a type is no longer served in.

use super::recorded::record;
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Type],
    docs: include_str!("prerelease_lifecycle_gen_removed.md"),
    ..Tag::control("k8s:prerelease-lifecycle-gen:removed", record)
};
