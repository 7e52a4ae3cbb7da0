//! `+k8s:openapi-model-package=<name>`: the dotted prefix of published type names.

use crate::tag::{Family, Scope, Tag};

pub(super) const TAG: Tag = Tag {
    family: Family::OpenApi,
    docs: include_str!("openapi_model_package.md"),
    ..Tag::kept("k8s:openapi-model-package", &[Scope::Package, Scope::Type])
};
