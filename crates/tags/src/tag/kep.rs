//! Tags KEP-5073 describes and nobody built, one file each.

mod declarative_validation_native;

use super::Tag;

/// All of them, by name.
pub const ALL: &[&Tag] = &[&declarative_validation_native::TAG];
