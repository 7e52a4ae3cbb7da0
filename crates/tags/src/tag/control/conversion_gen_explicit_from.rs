//! `+k8s:conversion-gen:explicit-from`: types that are converted from other types.

use super::recorded::record;
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Type],
    docs: include_str!("conversion_gen_explicit_from.md"),
    ..Tag::control("k8s:conversion-gen:explicit-from", record)
};
