//! `+k8s:prerelease-lifecycle-gen:introduced`: the release a type was introduced in.

use super::recorded::record;
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Type],
    docs: include_str!("prerelease_lifecycle_gen_introduced.md"),
    ..Tag::control("k8s:prerelease-lifecycle-gen:introduced", record)
};
