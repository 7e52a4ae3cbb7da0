//! `+k8s:deepcopy-gen=<true|false|package>`: generates deep copy methods.

use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    aliases: &[
        "k8s:deepcopy-gen:interfaces",
        "k8s:deepcopy-gen:nonpointer-interfaces",
    ],
    docs: include_str!("deepcopy_gen.md"),
    ..Tag::kept("k8s:deepcopy-gen", &[Scope::Package, Scope::Type])
};
