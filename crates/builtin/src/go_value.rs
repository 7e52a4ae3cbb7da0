//! Values as Go sees them: what is empty, how internal types are printed and compared. Knows no kind.

pub(crate) mod empty;
pub(crate) mod internal;
pub(crate) mod json;
mod unified_diff;
