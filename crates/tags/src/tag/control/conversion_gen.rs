//! `+k8s:conversion-gen`: what conversion-gen converts.

use super::recorded::record;
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Package, Scope::Type, Scope::Field],
    docs: include_str!("conversion_gen.md"),
    ..Tag::control("k8s:conversion-gen", record)
};
