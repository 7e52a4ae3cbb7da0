//! `+k8s:conversion-gen-external-types`: where the external types are.

use super::recorded::record;
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Package],
    docs: include_str!("conversion_gen_external_types.md"),
    ..Tag::control("k8s:conversion-gen-external-types", record)
};
