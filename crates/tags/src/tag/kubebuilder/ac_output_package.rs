//! `+kubebuilder:ac:output:package=<path>`: where apply configurations go.

use crate::grammar::marker::{ArgumentType, Arguments};
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    docs: include_str!("ac_output_package.md"),
    ..Tag::checked(
        "kubebuilder:ac:output:package",
        &[Scope::Package],
        Arguments::One(ArgumentType::Text),
    )
};
