//! `+k8s:prerelease-lifecycle-gen=<true|false>`: generates methods that say when the type was introduced and
//! will be removed.

use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    aliases: &[
        "k8s:prerelease-lifecycle-gen:introduced",
        "k8s:prerelease-lifecycle-gen:deprecated",
        "k8s:prerelease-lifecycle-gen:removed",
        "k8s:prerelease-lifecycle-gen:replacement",
    ],
    docs: include_str!("prerelease_lifecycle_gen.md"),
    ..Tag::kept("k8s:prerelease-lifecycle-gen", &[Scope::Package, Scope::Type])
};
