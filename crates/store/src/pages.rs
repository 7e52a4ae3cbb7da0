//! Remembers how much is behind a page of a list. Must not know entries.
//!
//! Every page says how many entries remain, and counting them again for each would make reading a long list page by page
//! quadratic. A state at a revision never changes, so what remains behind a page is what the next one begins with.

use std::collections::VecDeque;

/// So many lists may be read at the same time without counting again.
const MOST: usize = 256;

/// Counts behind the pages given out last.
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
    /// Returns how many entries there are from a key on, if a page ended before it.
    pub(crate) fn count(&self, prefix: &[u8], start: &[u8], revision: u64) -> Option<u64> {
        let is_it = |behind: &&Behind| {
            behind.revision == revision && *behind.start == *start && *behind.prefix == *prefix
        };
        self.0.iter().rev().find(is_it).map(|behind| behind.count)
    }

    /// Remembers what is behind a page.
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

    /// Forgets everything: the states have become others.
    #[cfg(feature = "etcd")]
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}
