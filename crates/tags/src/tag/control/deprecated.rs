//! `+k8s:deprecated`: names of members that must not be used again.

use super::recorded::record;
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Package, Scope::Type, Scope::Field],
    docs: include_str!("deprecated.md"),
    ..Tag::control("k8s:deprecated", record)
};
