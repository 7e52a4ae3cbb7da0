//! The watchers of a store, found by the prefixes of a key. Must not know revisions.
//!
//! An event must reach a few watchers among thousands of idle ones, so they are not checked one by one: the
//! key is cut to every length of a watched prefix, and looked up.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::feed::Feed;
use crate::{Error, Event};

/// With fewer watchers, dropped ones are not searched.
const FEW: usize = 64;

/// All watchers of a store.
#[derive(Debug, Default)]
pub(crate) struct Hub {
    feeds: HashMap<Box<[u8]>, Vec<Feed>>,
    /// The lengths of the prefixes above.
    lengths: BTreeSet<usize>,
    /// The number of watchers added or kept since the last sweep.
    count: usize,
    sweep_at: usize,
    /// How often all watches ended, and why they did the last time.
    endings: u64,
    ending: Option<Error>,
}

impl Hub {
    /// Adds a watcher.
    pub(crate) fn add(&mut self, prefix: &[u8], feed: Feed) {
        // A dropped watcher whose prefix is never written would stay; sweeping at twice the size costs little
        // per watcher.
        if self.count >= self.sweep_at.max(FEW) {
            self.sweep();
        }
        self.feeds.entry(prefix.into()).or_default().push(feed);
        self.lengths.insert(prefix.len());
        self.count += 1;
    }

    /// Delivers an event to the watchers of its key.
    pub(crate) fn deliver(&mut self, event: &Arc<Event>) {
        for &length in self.lengths.range(..=event.key.len()) {
            if let Some(feeds) = self.feeds.get_mut(&event.key[..length]) {
                feeds.retain(|feed| feed.push(event));
            }
        }
    }

    /// Returns how often all watches ended so far.
    pub(crate) fn endings(&self) -> u64 {
        self.endings
    }

    /// Returns why watches that started after this many endings have ended, if they have.
    pub(crate) fn ending_after(&self, endings: u64) -> Option<Error> {
        self.ending.clone().filter(|_| self.endings > endings)
    }

    /// Ends all watches.
    pub(crate) fn end(&mut self, error: &Error) {
        self.endings += 1;
        self.ending = Some(error.clone());
        for feed in self.feeds.drain().flat_map(|(_, feeds)| feeds) {
            feed.end(error.clone());
        }
        self.sweep();
    }

    fn sweep(&mut self) {
        self.feeds.retain(|_, feeds| {
            feeds.retain(Feed::is_alive);
            !feeds.is_empty()
        });
        self.lengths = self.feeds.keys().map(|prefix| prefix.len()).collect();
        self.count = self.feeds.values().map(Vec::len).sum();
        self.sweep_at = self.count * 2;
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        self.end(&Error::Closed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Watch};

    #[test]
    fn dropped_watchers_are_removed() {
        let mut hub = Hub::default();
        for number in 0..1_000_u32 {
            let (watch, feed) = Watch::new(1, None, Arc::default(), Limits::default());
            hub.add(&number.to_be_bytes(), feed);
            drop(watch);
        }
        assert!(hub.feeds.len() <= FEW, "{} are left", hub.feeds.len());
    }
}
