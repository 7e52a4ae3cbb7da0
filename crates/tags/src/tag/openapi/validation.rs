//! `+k8s:validation<:key>=<json>`: a validation in published schemas.

use crate::tag::{Family, Scope, Tag};

pub(super) const TAG: Tag = Tag {
    family: Family::OpenApi,
    docs: include_str!("validation.md"),
    ..Tag::kept("k8s:validation", &[Scope::Field, Scope::Type])
};
