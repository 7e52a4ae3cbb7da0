//! The queue between a store and one watcher, and the store's end of it.

use std::collections::VecDeque;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::task::Waker;

use crate::{Error, Event, Limits};

/// The store's end of a watch. The watcher owns the queue; dropping the [`Watch`] frees it.
#[derive(Clone, Debug)]
pub(crate) struct Feed(Weak<Queue>);

impl Feed {
    /// Appends an event. Returns whether the watcher accepts more.
    pub(crate) fn push(&self, event: &Arc<Event>) -> bool {
        let Some(queue) = self.0.upgrade() else {
            return false;
        };
        let mut state = queue.lock();
        let bytes = state.bytes + event.size();
        let full = state.events.len() >= queue.most_events;
        let heavy = bytes > queue.most_bytes && !state.events.is_empty();
        if full || heavy {
            queue.finish(state, Error::Slow { delivered: 0 });
            return false;
        }
        state.bytes = bytes;
        state.events.push_back(Arc::clone(event));
        queue.wake(state);
        true
    }

    /// Ends the watch.
    pub(crate) fn end(&self, error: Error) {
        if let Some(queue) = self.0.upgrade() {
            queue.finish(queue.lock(), error);
        }
    }

    pub(crate) fn is_alive(&self) -> bool {
        self.0.strong_count() > 0
    }
}

/// The events that wait for a watcher.
#[derive(Debug)]
pub(crate) struct Queue {
    state: Mutex<State>,
    pub(crate) ready: Condvar,
    pub(crate) progress: Arc<AtomicU64>,
    most_events: usize,
    most_bytes: usize,
}

/// What of a queue is locked together.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) events: VecDeque<Arc<Event>>,
    pub(crate) bytes: usize,
    pub(crate) end: Option<Error>,
    pub(crate) waker: Option<Waker>,
    /// Whether a thread waits for `ready`: to notify is a system call, even if nobody does.
    pub(crate) blocks: bool,
}

impl State {
    pub(crate) fn is_idle(&self) -> bool {
        self.events.is_empty() && self.end.is_none()
    }

    pub(crate) fn load(&mut self, events: Vec<Arc<Event>>) {
        self.bytes = events.iter().map(|event| event.size()).sum();
        self.events = events.into();
    }
}

impl Queue {
    pub(crate) fn new(progress: Arc<AtomicU64>, limits: Limits) -> Self {
        Queue {
            state: Mutex::default(),
            ready: Condvar::new(),
            progress,
            most_events: limits.backlog_events,
            most_bytes: limits.backlog_bytes,
        }
    }

    /// The store's end.
    pub(crate) fn feed(self: &Arc<Self>) -> Feed {
        Feed(Arc::downgrade(self))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the watch. A slow watcher's backlog is freed at once, which is the purpose of cutting it off.
    fn finish(&self, mut state: MutexGuard<'_, State>, error: Error) {
        if matches!(error, Error::Slow { .. }) {
            state.events = VecDeque::new();
            state.bytes = 0;
        }
        state.end.get_or_insert(error);
        self.wake(state);
    }

    fn wake(&self, mut state: MutexGuard<'_, State>) {
        let (waker, blocks) = (state.waker.take(), std::mem::take(&mut state.blocks));
        drop(state);
        if blocks {
            self.ready.notify_one();
        }
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}
