//! Events that were encoded lately: the same bytes go to all watchers that want an event in the same form.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use super::EventType;
use crate::response::negotiate::{Encoding, Shape};

/// How many encoded events are kept.
const KEPT: usize = 64;
/// Larger events are not kept.
const LARGEST: usize = 64 << 10;

/// What tells the bytes of an event apart.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    /// The revision of the event.
    pub(super) revision: u64,
    /// The address of what is watched: it lives as long as somebody watches it, and an event's revision is never used
    /// again.
    pub(super) served: usize,
    /// What happened.
    pub(super) ty: EventType,
    /// How bytes are written.
    pub(super) encoding: Encoding,
    /// What became of the object before.
    pub(super) shape: Shape,
}

/// Events that were encoded lately.
#[derive(Debug, Default)]
pub(crate) struct Shared(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    events: HashMap<Key, Arc<[u8]>>,
    order: VecDeque<Key>,
}

impl Shared {
    pub(super) fn get(&self, key: &Key) -> Option<Arc<[u8]>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.events.get(key).cloned()
    }

    pub(super) fn put(&self, key: Key, bytes: Arc<[u8]>) {
        if bytes.len() > LARGEST {
            return;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.events.insert(key.clone(), bytes).is_none() {
            kept.order.push_back(key);
        }
        if kept.order.len() > KEPT
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.events.remove(&oldest);
        }
    }
}
