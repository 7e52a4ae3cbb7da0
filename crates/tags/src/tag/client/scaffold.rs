//! `+kubebuilder:scaffold<:…>`: where the scaffolding tool adds code.

use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    aliases: &[
        "kubebuilder:docs-gen",
        "kubebuilder:altName",
        "kubebuilder:validation:OneOf",
    ],
    docs: include_str!("scaffold.md"),
    ..Tag::kept(
        "kubebuilder:scaffold",
        &[Scope::Package, Scope::Type, Scope::Field],
    )
};
