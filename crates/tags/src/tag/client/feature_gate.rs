//! `+featureGate=<name>`: the field belongs to a feature gate.

use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    docs: include_str!("feature_gate.md"),
    ..Tag::kept("featureGate", &[Scope::Type, Scope::Field])
};
