//! `+k8s:protobuf-gen=<package>`: generates protocol buffers.

use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    docs: include_str!("protobuf_gen.md"),
    ..Tag::kept("k8s:protobuf-gen", &[Scope::Package, Scope::Type])
};
