//! `+k8s:prerelease-lifecycle-gen:deprecated`: the release a type is deprecated in.

use super::recorded::record;
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Type],
    docs: include_str!("prerelease_lifecycle_gen_deprecated.md"),
    ..Tag::control("k8s:prerelease-lifecycle-gen:deprecated", record)
};
