//! `+kubebuilder:ac:generate=<bool>`: generates apply configurations.

use crate::grammar::marker::{ArgumentType, Arguments};
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    docs: include_str!("ac_generate.md"),
    ..Tag::checked(
        "kubebuilder:ac:generate",
        &[Scope::Type, Scope::Package],
        Arguments::One(ArgumentType::Bool),
    )
};
