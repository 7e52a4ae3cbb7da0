//! `+k8s:openapi-gen=<true|false|x-kubernetes-…:…>`: switches openapi-gen on or off, or adds an extension.

use crate::tag::{Family, Scope, Tag};

pub(super) const TAG: Tag = Tag {
    family: Family::OpenApi,
    docs: include_str!("openapi_gen.md"),
    ..Tag::kept("k8s:openapi-gen", &[Scope::Package, Scope::Type, Scope::Field])
};
