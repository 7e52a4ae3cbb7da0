//! `+k8s:prerelease-lifecycle-gen`: whether methods about the lifecycle of versions are written.

use super::recorded::record;
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Package, Scope::Type],
    docs: include_str!("prerelease_lifecycle_gen.md"),
    ..Tag::control("k8s:prerelease-lifecycle-gen", record)
};
