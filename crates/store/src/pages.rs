//! Remembers how many entries follow a page of a list. Must not know entries.
//!
//! Every page includes the number of remaining entries, and counting them for each page would make reading a
//! long list quadratic. The state at a revision never changes, so the entries remaining after a page are
//! those from the start of the next.

use std::collections::VecDeque;

/// This many lists can be read concurrently without counting again.
const MOST: usize = 256;

/// Counts for the most recent pages.
#[derive(Debug, Default)]
pub(crate) struct Pages(VecDeque<Behind>);

#[derive(Debug)]
struct Behind {
    prefix: Box<[u8]>,
    start: Box<[u8]>,
    revision: u64,
    count: u64,
}

impl Pages {
    /// Returns the number of entries from a key on, if a page ended before it.
    pub(crate) fn count(&self, prefix: &[u8], start: &[u8], revision: u64) -> Option<u64> {
        let is_it = |behind: &&Behind| {
            behind.revision == revision && *behind.start == *start && *behind.prefix == *prefix
        };
        self.0.iter().rev().find(is_it).map(|behind| behind.count)
    }

    /// Remembers the count after a page.
    pub(crate) fn remember(&mut self, prefix: &[u8], start: &[u8], revision: u64, count: u64) {
        if self.0.len() == MOST {
            self.0.pop_front();
        }
        self.0.push_back(Behind {
            prefix: prefix.into(),
            start: start.into(),
            revision,
            count,
        });
    }

    /// Drops all counts, because the states have changed.
    #[cfg(feature = "etcd")]
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}
