//! `+k8s:protobuf-gen=<package>`: protocol buffers are generated.

use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    docs: include_str!("protobuf_gen.md"),
    ..Tag::kept("k8s:protobuf-gen", &[Scope::Package, Scope::Type])
};
