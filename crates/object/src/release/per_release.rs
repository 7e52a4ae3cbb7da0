//! One value for each known release.

use std::fmt;
use std::sync::OnceLock;

use super::Release;

/// One value for each known release, made on first use.
pub struct PerRelease<T>([OnceLock<T>; Release::KNOWN.len()]);

impl<T> PerRelease<T> {
    /// No values yet.
    #[must_use]
    pub const fn new() -> Self {
        PerRelease([const { OnceLock::new() }; Release::KNOWN.len()])
    }

    /// The value of a release.
    pub fn get(&self, release: Release, make: impl FnOnce() -> T) -> &T {
        self.0[release.place()].get_or_init(make)
    }
}

impl<T> Default for PerRelease<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> fmt::Debug for PerRelease<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("PerRelease").finish_non_exhaustive()
    }
}
