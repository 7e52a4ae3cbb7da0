//! `+listKey=<member>`: an old name of `+listMapKey`, which no tool reads.

use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    docs: include_str!("list_key.md"),
    ..Tag::kept("listKey", &[Scope::Field, Scope::Type])
};
