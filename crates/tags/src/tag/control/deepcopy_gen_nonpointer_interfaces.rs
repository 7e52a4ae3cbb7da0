//! `+k8s:deepcopy-gen:nonpointer-interfaces`: whether those methods have value receivers.

use super::recorded::record;
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Type],
    docs: include_str!("deepcopy_gen_nonpointer_interfaces.md"),
    ..Tag::control("k8s:deepcopy-gen:nonpointer-interfaces", record)
};
