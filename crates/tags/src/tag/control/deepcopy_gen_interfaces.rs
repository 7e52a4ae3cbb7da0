//! `+k8s:deepcopy-gen:interfaces`: interfaces that deepcopy-gen writes methods for.

use super::recorded::record;
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Type],
    docs: include_str!("deepcopy_gen_interfaces.md"),
    ..Tag::control("k8s:deepcopy-gen:interfaces", record)
};
