//! The watcher's end of a watch. Must not know any runtime: it is polled with a plain [`Context`], or blocks.
//!
//! What happened before a watch began is not copied into its queue: it is read in small chunks from the history that
//! all watchers share, as fast as the watcher takes it. Only then does the queue receive new events.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};
use std::task::{Context, Poll};

use crate::feed::{Feed, Queue, State};
use crate::shared::{Read, Replay};
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
        let queue = Arc::new(Queue::new(progress, limits));
        let feed = queue.feed();
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
            match replay.read_on(&self.queue.feed()) {
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
            state.blocks = true;
            state = queue.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
