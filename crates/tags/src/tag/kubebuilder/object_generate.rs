//! `+kubebuilder:object:generate=<bool>`: generates deep copy methods.

use crate::grammar::marker::{ArgumentType, Arguments};
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    docs: include_str!("object_generate.md"),
    ..Tag::checked(
        "kubebuilder:object:generate",
        &[Scope::Type, Scope::Package],
        Arguments::One(ArgumentType::Bool),
    )
};
