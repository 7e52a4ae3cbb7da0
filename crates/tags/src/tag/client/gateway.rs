//! `+gateway<:…>`: markers of the Gateway API.

use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    aliases: &[
        "gateway:experimental",
        "gateway:experimental:validation",
        "gateway:util:excludeFromCRD",
    ],
    docs: include_str!("gateway.md"),
    ..Tag::kept("gateway", &[Scope::Package, Scope::Type, Scope::Field])
};
