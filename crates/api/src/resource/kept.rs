//! Objects that a webhook converted lately, by version and revision, so that updates and watches need not ask again: the
//! reference has a watch cache for every version.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

/// How many bytes are kept of one resource.
const BYTES: usize = 16 << 20;

/// Which object it is: the position of the version in the CRD, and the revision at which it was stored.
type Key = (usize, u64);

/// Converted objects.
#[derive(Debug, Default)]
pub(crate) struct Kept(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    objects: HashMap<Key, Arc<[u8]>>,
    order: VecDeque<Key>,
    bytes: usize,
}

impl Kept {
    pub(super) fn get(&self, key: Key) -> Option<Arc<[u8]>> {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.objects.get(&key).cloned()
    }

    /// Keeps an object; the oldest go where there are too many.
    pub(super) fn put(&self, key: Key, object: &[u8]) {
        if object.len() > BYTES {
            return;
        }
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.objects.contains_key(&key) {
            return;
        }
        state.bytes += object.len();
        state.objects.insert(key, object.into());
        state.order.push_back(key);
        while state.bytes > BYTES
            && let Some(oldest) = state.order.pop_front()
        {
            let removed = state.objects.remove(&oldest);
            state.bytes -= removed.map_or(0, |removed| removed.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_go_first() {
        let (kept, half) = (Kept::default(), vec![0; BYTES / 2]);
        for revision in 1..=3 {
            kept.put((0, revision), &half);
        }
        let is_there: Vec<bool> = (1..=3)
            .map(|revision| kept.get((0, revision)).is_some())
            .collect();
        assert_eq!(is_there, [false, true, true]);
        assert!(kept.get((1, 2)).is_none(), "another version is another object");
    }
}
