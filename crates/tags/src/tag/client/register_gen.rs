//! `+k8s:register-gen=<package>`: generates code that registers the types.

use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    docs: include_str!("register_gen.md"),
    ..Tag::kept("k8s:register-gen", &[Scope::Package, Scope::Type])
};
