//! `+k8s:prerelease-lifecycle-gen:replacement`: the kind that takes the place of a deprecated one.

use super::recorded::record;
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Type],
    docs: include_str!("prerelease_lifecycle_gen_replacement.md"),
    ..Tag::control("k8s:prerelease-lifecycle-gen:replacement", record)
};
