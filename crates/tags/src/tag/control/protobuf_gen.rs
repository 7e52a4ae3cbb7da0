//! `+k8s:protobuf-gen`: whether protobuf code is written.

use super::recorded::record;
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Package, Scope::Type],
    docs: include_str!("protobuf_gen.md"),
    ..Tag::control("k8s:protobuf-gen", record)
};
