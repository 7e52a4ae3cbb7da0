//! Watches: the events of a resource, encoded for one client.
//!
//! A stream knows which events to send and how to encode them, and takes a few hundred bytes while idle. Initial objects
//! and old events are read in small pages from the store as fast as the client takes them; the store limits how many
//! new events can wait.

mod encode;
mod event_type;
mod initial;
mod shared;

use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use kindsmith_json::{Arena, Value};
use kindsmith_request::Status;
use kindsmith_store::{Bytes, Entry, Error, Event, Keep};

use crate::read::list_options::ListOptions;
use crate::read::skim::Skim;
use crate::stored::{self, Freshness};
use crate::verbatim::Copied;

pub(crate) use encode::{Encoder, Form};
pub(crate) use event_type::EventType;
pub(crate) use initial::Initial;
pub(crate) use shared::Shared;

/// Roughly how many bytes are sent at once.
const CHUNK: usize = 32 << 10;

/// How many bytes of objects are looked at, and how many objects, before others get their turn: a selector may pass over
/// all of them.
const LOOKS: usize = 256 << 10;
/// What a page counts in which nothing is selected.
const LOOK_OF_PAGE: usize = 16 << 10;
const STEPS: usize = 256;

/// The events of one watch, in the requested form. The caller polls it, and ends it after its timeout.
#[derive(Debug)]
pub struct WatchStream {
    /// The timeout, if the client set one.
    pub timeout: Option<Duration>,
    /// Whether to send bookmarks from time to time.
    pub wants_bookmarks: bool,
    state: State,
    options: ListOptions,
    skim: Skim,
    encoder: Encoder,
    is_behind: bool,
    /// How many bytes were looked at lately.
    looked: usize,
}

/// The progress of a watch.
#[derive(Debug)]
enum State {
    /// The initial objects are being sent.
    Initial(Initial),
    /// Events after a revision are being sent.
    Events {
        store: kindsmith_store::Watch,
        after: u64,
    },
    /// Only an error is left to send.
    Failed(Box<Status>),
    /// Nothing is left.
    Ended,
}

impl WatchStream {
    /// A watch that starts with some objects and then follows them.
    pub(crate) fn with_initial(initial: Initial, options: ListOptions, encoder: Encoder) -> Self {
        WatchStream::new(State::Initial(initial), options, encoder)
    }

    /// A watch of events after a revision.
    pub(crate) fn after(
        revision: u64,
        store: kindsmith_store::Watch,
        options: ListOptions,
        encoder: Encoder,
    ) -> Self {
        let state = State::Events {
            store,
            after: revision,
        };
        WatchStream::new(state, options, encoder)
    }

    /// A watch that failed after it was accepted: a single event reports the error.
    pub(crate) fn failed(status: Status, options: ListOptions, encoder: Encoder) -> Self {
        WatchStream::new(State::Failed(Box::new(status)), options, encoder)
    }

    fn new(state: State, options: ListOptions, encoder: Encoder) -> Self {
        WatchStream {
            timeout: options.timeout_seconds.and_then(timeout),
            wants_bookmarks: options.allow_watch_bookmarks,
            state,
            skim: Skim::new(encoder.served(), &options),
            options,
            encoder,
            is_behind: true,
            looked: 0,
        }
    }

    /// Whether there is more to send than was asked for so far, so that asking again takes a while.
    #[must_use]
    pub fn is_behind(&self) -> bool {
        self.is_behind
    }

    /// Whether [`WatchStream::poll_next`] may take its time, because a webhook converts the objects.
    #[must_use]
    pub fn may_wait(&self) -> bool {
        self.encoder.served().resource.may_wait()
    }

    /// Asks for the next bytes to be sent; `None` is the end.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Vec<u8>>> {
        let mut out = Vec::new();
        // What takes its time is sent as soon as it is there.
        let enough = if self.may_wait() { 1 } else { CHUNK };
        let mut steps = 0;
        (self.is_behind, self.looked) = (true, 0);
        while out.len() < enough && steps < STEPS && self.looked < LOOKS {
            steps += 1;
            match self.advance(context, &mut out) {
                Poll::Ready(true) => continue,
                Poll::Ready(false) if out.is_empty() => return Poll::Ready(None),
                Poll::Ready(false) => {}
                Poll::Pending => self.is_behind = false,
            }
            break;
        }
        if out.is_empty() {
            if self.is_behind {
                context.waker().wake_by_ref();
            }
            return Poll::Pending;
        }
        Poll::Ready(Some(out))
    }

    /// A bookmark for the events so far. Send one about once a minute, and before the end.
    pub fn bookmark(&mut self) -> Option<Vec<u8>> {
        let State::Events { store, after } = &self.state else {
            return None;
        };
        let revision = store.progress().max(*after);
        let mut out = Vec::new();
        self.encoder.append_bookmark(&mut out, revision, false);
        Some(out)
    }

    /// Takes one step; `false` if the stream has to wait.
    fn advance(&mut self, context: &mut Context<'_>, out: &mut Vec<u8>) -> Poll<bool> {
        match std::mem::replace(&mut self.state, State::Ended) {
            State::Initial(mut initial) => match self.next_initial(&mut initial) {
                Ok(Some(entry)) => {
                    self.state = State::Initial(initial);
                    self.looked += entry.value.len();
                    self.append_entry(&entry, out);
                    Poll::Ready(true)
                }
                Ok(None) => self.follow(&initial, out),
                Err(error) => self.state_of_failure(error),
            },
            State::Events { mut store, after } => match store.poll_next(context) {
                Poll::Ready(Ok(event)) => {
                    self.state = State::Events { store, after };
                    self.looked += event.value.as_ref().map_or(0, |value| value.len());
                    if event.revision > after {
                        self.append_event(&event, out);
                    }
                    Poll::Ready(true)
                }
                Poll::Ready(Err(error)) => {
                    self.append_end(&error, out);
                    Poll::Ready(false)
                }
                Poll::Pending => {
                    self.state = State::Events { store, after };
                    Poll::Pending
                }
            },
            State::Failed(status) => {
                self.encoder.append_error(out, &status);
                Poll::Ready(false)
            }
            State::Ended => Poll::Ready(false),
        }
    }

    /// The next of the initial objects that may be selected.
    fn next_initial(&mut self, initial: &mut Initial) -> Result<Option<Entry>, Error> {
        let may_select = |value: &Bytes| self.skim.may_select(value);
        let (keep, before) = (
            (!self.options.selects_all()).then_some(Keep(&may_select)),
            initial.pages,
        );
        let next = initial.next(keep);
        self.looked += (initial.pages - before) * LOOK_OF_PAGE;
        next
    }

    /// Goes on with the events after the initial objects.
    fn follow(&mut self, initial: &Initial, out: &mut Vec<u8>) -> Poll<bool> {
        match initial.follow() {
            Ok(store) => {
                if initial.has_bookmark {
                    self.encoder.append_bookmark(out, initial.revision, true);
                }
                self.state = State::Events { store, after: 0 };
                Poll::Ready(true)
            }
            Err(error) => self.state_of_failure(error),
        }
    }

    fn state_of_failure(&mut self, error: Error) -> Poll<bool> {
        self.state = State::Failed(Box::new(failure(error)));
        Poll::Ready(true)
    }

    /// Appends an object that existed when the watch began.
    fn append_entry(&mut self, entry: &Entry, out: &mut Vec<u8>) {
        let known = self
            .skim
            .copied(self.encoder.served(), &self.options, &entry.value);
        if let Some((copied, is_selected)) = known {
            let (ty, arena, part) = (EventType::Added, Arena::new(), self.encoder.part());
            if !is_selected || self.encoder.append_copied(out, ty, copied, entry.modified) {
                return;
            }
            if let Some(object) = copied.object(&arena, part, entry.modified) {
                return self.encoder.append(out, ty, &arena, object);
            }
        }
        let served = Arc::clone(self.encoder.served());
        let arena = Arena::new();
        let read = stored::read_as(&arena, &served, entry, Freshness::Kept);
        let release = served.resource.release();
        match read.map_err(|error| error.of_watch(release, entry.modified)) {
            Ok(object) if self.options.selects(object) => {
                let start = out.len();
                self.encoder.append(out, EventType::Added, &arena, object);
                self.encoder.learn(entry, EventType::Added, &out[start..]);
            }
            Ok(object) => self.skim.learn(&served, entry, object),
            Err(status) => self.fail(&status, out),
        }
    }

    /// Appends an event if it concerns this watch: an object that starts to match is added, one that no longer matches
    /// is deleted.
    fn append_event(&mut self, event: &Arc<Event>, out: &mut Vec<u8>) {
        if self.append_copied(event, out) {
            return;
        }
        if self.options.selects_all()
            && let Some(ty) = plain_type(event)
            && self.encoder.append_shared(out, ty, event.revision)
        {
            return;
        }
        let (served, now) = (Arc::clone(self.encoder.served()), now(event));
        // Without a selector, it is enough to know that there was an object before.
        let before = if self.options.selects_all() && now.is_some() {
            None
        } else {
            event.previous.as_ref()
        };
        let arena = Arena::new();
        let objects = read_both(&arena, &served, now.as_ref(), before, event.revision);
        let (current, previous) = match objects {
            Ok(objects) => objects,
            Err(status) => return self.fail(&status, out),
        };
        let is_selected = current.filter(|&object| self.options.selects(object));
        let was_selected = previous.filter(|&object| self.options.selects(object));
        let (ty, object) = match (is_selected, was_selected) {
            (Some(object), None) if before.is_some() || event.previous.is_none() => {
                (EventType::Added, object)
            }
            (Some(object), _) => (EventType::Modified, object),
            (None, Some(object)) => (EventType::Deleted, object),
            (None, None) => {
                if let (Some(object), Some(entry)) = (current, &now) {
                    self.skim.learn(&served, entry, object);
                }
                return;
            }
        };
        let start = out.len();
        self.encoder
            .append_and_share(out, ty, &arena, object, event.revision);
        if let (Some(_), Some(entry)) = (is_selected, &now) {
            self.encoder.learn(entry, ty, &out[start..]);
        }
    }

    /// Appends an event without decoding its objects: by a copy, as it was encoded for another watcher, or parsed only. Returns
    /// whether it could.
    fn append_copied(&mut self, event: &Event, out: &mut Vec<u8>) -> bool {
        let served = self.encoder.served();
        let copied = |value| self.skim.copied(served, &self.options, value);
        let now = match &event.value {
            None => None,
            Some(value) => match copied(value) {
                None => return false,
                known => known,
            },
        };
        // Without a selector, it is enough to know that there was an object before.
        let before = match &event.previous {
            None => None,
            Some(_) if self.options.selects_all() && now.is_some() => now,
            Some(entry) => match copied(&entry.value) {
                None => return false,
                known => known,
            },
        };
        let selected = |known: Option<(Copied<'_>, bool)>| known.is_some_and(|(_, is_selected)| is_selected);
        let (ty, shown) = match (selected(now), selected(before)) {
            (true, false) => (EventType::Added, now),
            (true, true) => (EventType::Modified, now),
            (false, true) => (EventType::Deleted, before),
            (false, false) => return true,
        };
        let Some((copied, _)) = shown else { return false };
        if self.encoder.append_copied(out, ty, copied, event.revision)
            || self.encoder.append_shared(out, ty, event.revision)
        {
            return true;
        }
        let (arena, part) = (Arena::new(), self.encoder.part());
        let Some(object) = copied.object(&arena, part, event.revision) else {
            return false;
        };
        self.encoder
            .append_and_share(out, ty, &arena, object, event.revision);
        true
    }

    /// Ends with an error.
    fn fail(&mut self, status: &Status, out: &mut Vec<u8>) {
        self.encoder.append_error(out, status);
        self.state = State::Ended;
    }

    /// Reports why the store ended the watch. A client that is too slow is disconnected without an error.
    fn append_end(&mut self, error: &Error, out: &mut Vec<u8>) {
        match error {
            Error::Slow { .. } | Error::Closed => {}
            Error::Compacted { .. } => {
                let status = crate::read::list_options::expired(
                    "The resourceVersion for the provided watch is too old.",
                );
                self.encoder.append_error(out, &status);
            }
            error => self
                .encoder
                .append_error(out, &Status::internal(&error.to_string())),
        }
    }
}

/// Why a watch cannot start or go on.
pub(crate) fn failure(error: Error) -> Status {
    match error {
        Error::Compacted { at, compacted } => {
            crate::read::list_options::expired(format!("too old resource version: {at} ({compacted})"))
        }
        error => stored::failure(error),
    }
}

/// The event type for a watch without selectors.
fn plain_type(event: &Event) -> Option<EventType> {
    match (&event.value, &event.previous) {
        (Some(_), None) => Some(EventType::Added),
        (Some(_), Some(_)) => Some(EventType::Modified),
        (None, Some(_)) => Some(EventType::Deleted),
        (None, None) => None,
    }
}

/// The object after an event.
fn now(event: &Event) -> Option<Entry> {
    Some(Entry {
        key: Arc::clone(&event.key),
        value: event.value.clone()?,
        modified: event.revision,
    })
}

type Objects<'a> = (Option<Value<'a>>, Option<Value<'a>>);

/// The object an event leaves, and the one there was before, which is shown with the event's revision.
fn read_both<'a>(
    arena: &'a Arena,
    served: &'a crate::Served,
    now: Option<&'a Entry>,
    before: Option<&'a Entry>,
    revision: u64,
) -> Result<Objects<'a>, Status> {
    let read = |entry: &'a Entry| {
        let object = stored::read_as(arena, served, entry, Freshness::Kept)
            .map_err(|error| error.of_watch(served.resource.release(), entry.modified))?;
        Ok(if entry.modified == revision {
            object
        } else {
            stored::with_revision(arena, object, revision)
        })
    };
    Ok((now.map(read).transpose()?, before.map(read).transpose()?))
}

/// The duration of a watch with this timeout; `None` to use the server's default. Go counts nanoseconds in 64 bits and
/// wraps (`ListResource` in apiserver's pkg/endpoints/handlers/get.go), so the result always fits.
fn timeout(seconds: i64) -> Option<Duration> {
    match seconds.wrapping_mul(1_000_000_000) {
        0 => None,
        nanoseconds => Some(Duration::from_nanos(nanoseconds.try_into().unwrap_or(0))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts_wrap_as_gos_durations_do() {
        let check = |seconds, expected| assert_eq!(timeout(seconds), expected, "{seconds}");
        check(0, None);
        check(30, Some(Duration::from_secs(30)));
        check(-1, Some(Duration::ZERO));
        check(9_223_372_036, Some(Duration::from_secs(9_223_372_036)));
        check(9_223_372_037, Some(Duration::ZERO));
        check(18_446_744_074, Some(Duration::from_nanos(290_448_384)));
        check(1 << 55, None);
        check(i64::MAX, Some(Duration::ZERO));
    }
}
