//! `+k8s:conversion-gen=<package>`: generates conversions to another package.

use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    aliases: &[
        "k8s:conversion-gen:explicit-from",
        "k8s:conversion-gen-external-types",
        "k8s:conversion-gen:no-public",
        "k8s:conversion-fn",
    ],
    docs: include_str!("conversion_gen.md"),
    ..Tag::kept("k8s:conversion-gen", &[Scope::Package, Scope::Type, Scope::Field])
};
