//! `+groupGoName=<name>`: what generated Go code calls the group.

use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    docs: include_str!("group_go_name.md"),
    ..Tag::kept("groupGoName", &[Scope::Package])
};
