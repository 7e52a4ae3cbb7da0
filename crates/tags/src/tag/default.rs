//! `+default=<json>` and `+default=ref(<constant>)`: the value of a field that is left out.
//!
//! Three tools read it with three parsers; `crate::marker` handles the differences.

use crate::tag::{Family, Scope, Tag};

/// The only one.
pub const ALL: &[&Tag] = &[&TAG];

const TAG: Tag = Tag {
    family: Family::OpenApi,
    docs: include_str!("default.md"),
    ..Tag::kept("default", &[Scope::Field, Scope::Type])
};
