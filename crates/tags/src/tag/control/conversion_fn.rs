//! `+k8s:conversion-fn`: how conversion-gen treats a hand-written function.

use super::recorded::record;
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Package, Scope::Type, Scope::Field],
    docs: include_str!("conversion_fn.md"),
    ..Tag::control("k8s:conversion-fn", record)
};
