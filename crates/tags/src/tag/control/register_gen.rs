//! `+k8s:register-gen`: whether registration code is written.

use super::recorded::record;
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Package],
    docs: include_str!("register_gen.md"),
    ..Tag::control("k8s:register-gen", record)
};
