//! The queue between a store and one watcher. Must not know any runtime: it is polled with a plain [`Context`], or
//! blocks.
//!
//! What happened before a watch began is not copied into its queue: it is read in small chunks from the history that
//! all watchers share, as fast as the watcher takes it. Only then does the queue receive new events.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Waker};

use crate::live::{Read, Replay};
use crate::{Error, Event, Limits};

/// The events of a watch, in order and without gaps.
///
/// As an iterator it blocks until the next event, and ends after the first error.
#[derive(Debug)]
pub struct Watch {
    queue: Arc<Queue>,
    /// The events before the queue receives them, if there are some.
    replay: Option<Replay>,
    /// The revision of the last event taken, or the start of the watch.
    delivered: u64,
    ended: bool,
}

impl Watch {
    /// Creates a watch and its other end. `progress` is the store's revision, raised after the events up to
    /// it are pushed. With `replay`, nothing is pushed before all of that was taken.
    pub(crate) fn new(
        after: u64,
        replay: Option<Replay>,
        progress: Arc<AtomicU64>,
        limits: Limits,
    ) -> (Self, Feed) {
        let queue = Arc::new(Queue {
            most_events: limits.backlog_events,
            most_bytes: limits.backlog_bytes,
            state: Mutex::new(State {
                events: VecDeque::new(),
                bytes: 0,
                end: None,
                waker: None,
            }),
            ready: Condvar::new(),
            progress,
        });
        let feed = Feed(Arc::downgrade(&queue));
        let watch = Self {
            queue,
            replay,
            delivered: after,
            ended: false,
        };
        (watch, feed)
    }

    /// Returns the next event if there is one.
    pub fn try_next(&mut self) -> Result<Option<Arc<Event>>, Error> {
        self.refill();
        let queue = Arc::clone(&self.queue);
        let mut state = queue.lock();
        self.take(&mut state).transpose()
    }

    /// Returns the next event, or wakes the task once there is one or the watch ends.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Result<Arc<Event>, Error>> {
        self.refill();
        let queue = Arc::clone(&self.queue);
        let mut state = queue.lock();
        if let Some(next) = self.take(&mut state) {
            return Poll::Ready(next);
        }
        match &mut state.waker {
            Some(waker) => waker.clone_from(context.waker()),
            none => *none = Some(context.waker().clone()),
        }
        Poll::Pending
    }

    /// Returns a revision up to which all events were taken from this watch, for bookmarks.
    ///
    /// It advances with the whole store, even if nothing under the prefix changes.
    pub fn progress(&self) -> u64 {
        // Read before the queue: an event pushed in between then only makes the result too low.
        let reached = match &self.replay {
            Some(replay) => replay.reached(),
            None => self.queue.progress.load(Ordering::Acquire),
        };
        let state = self.queue.lock();
        match state.events.front() {
            Some(event) => event.revision - 1,
            None if state.end.is_some() => self.delivered,
            None => reached.max(self.delivered),
        }
    }

    /// Reads on in the past if nothing is left in the queue. Afterwards there is an event, an error, or nothing that
    /// happened before.
    fn refill(&mut self) {
        while let Some(replay) = &mut self.replay {
            // The queue is locked only for a moment: the store locks its history first.
            if !self.queue.lock().is_idle() {
                return;
            }
            match replay.read_on(&Feed(Arc::downgrade(&self.queue))) {
                Ok(Read::Events(events)) => self.queue.lock().load(events),
                Ok(Read::Joined) => self.replay = None,
                Err(error) => {
                    self.replay = None;
                    self.queue.lock().end.get_or_insert(error);
                }
            }
        }
    }

    fn take(&mut self, state: &mut State) -> Option<Result<Arc<Event>, Error>> {
        if let Some(event) = state.events.pop_front() {
            state.bytes -= event.size();
            self.delivered = event.revision;
            return Some(Ok(event));
        }
        let error = match state.end.as_ref()? {
            Error::Slow { .. } => Error::Slow {
                delivered: self.delivered,
            },
            error => error.clone(),
        };
        Some(Err(error))
    }
}

impl Iterator for Watch {
    type Item = Result<Arc<Event>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        self.refill();
        let queue = Arc::clone(&self.queue);
        let mut state = queue.lock();
        loop {
            if let Some(next) = self.take(&mut state) {
                self.ended = next.is_err();
                return Some(next);
            }
            state = queue.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

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

#[derive(Debug)]
struct Queue {
    state: Mutex<State>,
    ready: Condvar,
    progress: Arc<AtomicU64>,
    most_events: usize,
    most_bytes: usize,
}

#[derive(Debug)]
struct State {
    events: VecDeque<Arc<Event>>,
    bytes: usize,
    end: Option<Error>,
    waker: Option<Waker>,
}

impl State {
    fn is_idle(&self) -> bool {
        self.events.is_empty() && self.end.is_none()
    }

    fn load(&mut self, events: Vec<Arc<Event>>) {
        self.bytes = events.iter().map(|event| event.size()).sum();
        self.events = events.into();
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
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
        let waker = state.waker.take();
        drop(state);
        self.ready.notify_one();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}
