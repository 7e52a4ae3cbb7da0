//! Recently encoded events: watchers that want an event in the same form share its bytes.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use super::EventType;
use crate::response::negotiate::{Encoding, Shape};

/// How many encoded events are kept.
const KEPT: usize = 64;
/// Larger events are not kept.
const LARGEST: usize = 64 << 10;

/// Identifies an encoded event.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    /// The revision of the event.
    pub(super) revision: u64,
    /// The address of the watched resource. It is not reused while somebody watches, and an event's revision is never
    /// reused.
    pub(super) served: usize,
    /// The event type.
    pub(super) ty: EventType,
    /// The encoding.
    pub(super) encoding: Encoding,
    /// The conversion.
    pub(super) shape: Shape,
}

/// Recently encoded events.
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
