//! States of resources, told apart by a number.

use std::sync::atomic::{AtomicU64, Ordering};

/// Identifies a state of a resource in this process: what was found out about objects in one does not hold in another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Generation(u64);

impl Generation {
    /// A new one.
    pub(crate) fn new() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Generation(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// Its number, which is not zero.
    pub(crate) fn number(self) -> u64 {
        self.0
    }
}
