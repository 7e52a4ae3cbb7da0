//! `+protobuf=<true|false>`: how a type is encoded as a protocol buffer.

use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    aliases: &[
        "protobuf.nullable",
        "protobuf.embed",
        "protobuf.as",
        "protobuf.cast",
        "protobuf.options.",
        "protobuf.options.marshal",
    ],
    docs: include_str!("protobuf.md"),
    ..Tag::kept("protobuf", &[Scope::Package, Scope::Type, Scope::Field])
};
