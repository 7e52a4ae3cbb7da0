//! `+kubebuilder:rbac:groups=<a>;<b>,resources=<a>;<b>,verbs=<a>;<b>`: permissions that a controller needs.

use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    docs: include_str!("rbac.md"),
    ..Tag::kept("kubebuilder:rbac", &[Scope::Package, Scope::Type])
};
