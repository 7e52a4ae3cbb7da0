//! Switches of generators, one file each.

mod validation_gen_nolint;

use super::Tag;

/// All of them, by name.
pub const ALL: &[&Tag] = &[&validation_gen_nolint::TAG];
