//! `+kubebuilder:object:root=<bool>`: the type gets a `DeepCopyObject` method.

use crate::grammar::marker::{ArgumentType, Arguments};
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    docs: include_str!("object_root.md"),
    ..Tag::checked(
        "kubebuilder:object:root",
        &[Scope::Type],
        Arguments::One(ArgumentType::Bool),
    )
};
