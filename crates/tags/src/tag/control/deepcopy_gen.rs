//! `+k8s:deepcopy-gen`: which types deepcopy-gen writes `DeepCopy` for.

use super::recorded::record;
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Package, Scope::Type, Scope::Field],
    docs: include_str!("deepcopy_gen.md"),
    ..Tag::control("k8s:deepcopy-gen", record)
};
