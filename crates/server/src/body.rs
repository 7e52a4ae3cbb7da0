//! Bodies of answers: bytes, or the events of a watch until it times out.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use kindsmith_api::WatchStream;
use tokio::sync::watch;
use tokio::time::{Instant, Sleep};

use crate::large::Large;
use crate::metrics::UnderWay;
use crate::pace::Pace;
use crate::slow_watch::{SlowWatch, Steps};
use crate::window::Window;

/// How often a watch gets a bookmark.
const BOOKMARKS: Duration = Duration::from_mins(1);
/// How long before its end a watch gets its last bookmark.
const LAST_BOOKMARK: Duration = Duration::from_secs(2);

/// Chunks of this many bytes are worth a write of their own.
const MANY: usize = 16 << 10;

/// The body of an answer.
pub(crate) enum Answer {
    /// All at once.
    Bytes(Bytes),
    /// Chunk by chunk.
    Large(Large),
    /// Events as they happen.
    Watch(Box<Watching>),
}

/// A watch that is being sent.
pub(crate) struct Watching {
    events: SlowWatch,
    wants_bookmarks: bool,
    /// When the next bookmark or the end of the watch is due.
    due: Pin<Box<Sleep>>,
    end: Instant,
    /// Becomes true when the server stops.
    stopped: watch::Receiver<bool>,
    stop: Pin<Box<dyn Future<Output = ()> + Send>>,
    /// Who is woken by the end and by bookmarks.
    waiting: Option<Waker>,
    is_over: bool,
    /// What waits to be sent.
    window: Arc<Window>,
    pace: Pace,
    /// Until when nothing is sent.
    pause: Option<Pin<Box<Sleep>>>,
    _under_way: UnderWay,
}

impl Watching {
    /// Sends events for a duration, or until the server stops.
    pub(crate) fn new(
        events: Box<WatchStream>,
        steps: Steps,
        lasts: Duration,
        mut stop: watch::Receiver<bool>,
        under_way: UnderWay,
    ) -> Box<Self> {
        let (end, stopped) = (Instant::now() + lasts, stop.clone());
        let stop = async move {
            // An error means that the sender is gone, which also means stop.
            let _ = stop.wait_for(|stop| *stop).await;
        };
        let mut watching = Watching {
            wants_bookmarks: events.wants_bookmarks,
            events: SlowWatch::new(events, steps),
            due: Box::pin(tokio::time::sleep_until(end)),
            end,
            stopped,
            stop: Box::pin(stop),
            waiting: None,
            is_over: false,
            window: Arc::default(),
            pace: Pace::new(),
            pause: None,
            _under_way: under_way,
        };
        watching.rest();
        Box::new(watching)
    }

    /// Sets the timer for the next bookmark or the end.
    fn rest(&mut self) {
        let now = Instant::now();
        let last = self.end.checked_sub(LAST_BOOKMARK).filter(|last| *last > now);
        let next = match (self.wants_bookmarks, last) {
            (true, Some(last)) => last.min(now + BOOKMARKS),
            _ => self.end,
        };
        self.due.as_mut().reset(next);
        // The timer knows nobody to wake now.
        self.waiting = None;
    }

    /// Whether events wait for others to be sent with. If so, the task is woken when they are to be sent.
    fn pauses(&mut self, context: &mut Context<'_>) -> bool {
        if self.pause.is_none() {
            let wait = self.pace.wait();
            self.pause = wait.map(|until| Box::pin(tokio::time::sleep_until(until)));
        }
        let Some(pause) = &mut self.pause else {
            return false;
        };
        if pause.as_mut().poll(context).is_pending() {
            return true;
        }
        self.pause = None;
        false
    }

    /// Whether the task waits for the end and for bookmarks already, and neither is due: it is asked several times for each event, and
    /// to say again who waits costs more than the event.
    fn waits(&mut self, context: &Context<'_>) -> bool {
        let is_due = self.due.is_elapsed() || self.stopped.has_changed().unwrap_or(true);
        let known = self.waiting.as_ref();
        if !is_due && known.is_some_and(|known| known.will_wake(context.waker())) {
            return true;
        }
        self.waiting = Some(context.waker().clone());
        false
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        let has_room = self.window.has_room(context);
        if has_room
            && !self.pauses(context)
            && let Poll::Ready(next) = self.events.poll_next(context)
        {
            self.is_over = next.is_none();
            if next.as_ref().is_some_and(|bytes| bytes.len() < MANY) {
                self.pace.sent();
            }
            return Poll::Ready(next.map(|bytes| self.window.chunk(bytes)));
        }
        if self.waits(context) {
            return Poll::Pending;
        }
        if self.stop.as_mut().poll(context).is_ready() {
            self.is_over = true;
            return Poll::Ready(None);
        }
        while self.due.as_mut().poll(context).is_ready() {
            if Instant::now() >= self.end {
                self.is_over = true;
                return Poll::Ready(None);
            }
            self.rest();
            if has_room && let Some(bookmark) = self.events.bookmark() {
                return Poll::Ready(Some(self.window.chunk(bookmark)));
            }
        }
        Poll::Pending
    }
}

impl Body for Answer {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let next = match self.get_mut() {
            Answer::Bytes(bytes) if bytes.is_empty() => None,
            Answer::Bytes(bytes) => Some(Ok(std::mem::take(bytes))),
            Answer::Large(large) => ready!(large.poll(context)),
            Answer::Watch(watching) => ready!(watching.poll(context)).map(Ok),
        };
        Poll::Ready(next.map(|bytes| bytes.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Answer::Bytes(bytes) => bytes.is_empty(),
            Answer::Large(large) => large.left() == 0,
            Answer::Watch(watching) => watching.is_over,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Answer::Bytes(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Answer::Large(large) => SizeHint::with_exact(large.left() as u64),
            Answer::Watch(_) => SizeHint::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_api::{Api, Content, Options, Request, Still, User};
    use kindsmith_object::well_known::group;
    use kindsmith_store::Memory;
    use tokio::sync::Semaphore;

    use super::*;
    use crate::Gates;
    use crate::metrics::{Metrics, Traffic};

    const LASTS: Duration = Duration::from_secs(200);

    /// A watch, and what it watches.
    fn watching(stop: watch::Receiver<bool>) -> (Box<Watching>, Api) {
        let store = Arc::new(Memory::new());
        let api = Api::open(store, Box::new(Still::at(0)), Options::default()).expect("an API in memory");
        let user = User {
            groups: vec![group::MASTERS.to_owned()],
            ..User::default()
        };
        let request = Request {
            method: "GET",
            path: "/api/v1/namespaces/default/configmaps",
            query: "watch=1&allowWatchBookmarks=true",
            headers: &[],
            body: b"",
            user: &user,
        };
        let Content::Watch(events) = api.handle(&request, &api.info(&request)).content else {
            panic!("it is a watch");
        };
        let steps = Steps {
            turns: Arc::new(Semaphore::new(1)),
            working: Box::new(|| unreachable!("nothing is converted")),
        };
        let metrics = Arc::new(Metrics::new(Gates::default()));
        let under_way = metrics.under_way(Traffic::Watching);
        (Watching::new(events, steps, LASTS, stop, under_way), api)
    }

    /// The next chunk, asked for twice each time, as connections do; `Err` if nobody wakes the task.
    async fn next(watching: &mut Watching) -> Result<Option<Bytes>, tokio::time::error::Elapsed> {
        let next = std::future::poll_fn(|context| match watching.poll(context) {
            Poll::Pending => watching.poll(context),
            ready => ready,
        });
        tokio::time::timeout(2 * LASTS, next).await
    }

    #[tokio::test(start_paused = true)]
    async fn bookmarks_come_every_minute_and_before_the_end() {
        let (_stop, stopped) = watch::channel(false);
        let (started, mut times) = (Instant::now(), Vec::new());
        let (mut watching, _api) = watching(stopped);
        while let Some(chunk) = next(&mut watching).await.expect("it is woken") {
            assert!(String::from_utf8_lossy(&chunk).contains("BOOKMARK"));
            times.push(started.elapsed().as_secs());
        }
        // The first one ends the initial objects.
        assert_eq!(times, [0, 60, 120, 180, 198]);
        assert_eq!(started.elapsed(), LASTS);
    }

    #[tokio::test(start_paused = true)]
    async fn a_watch_ends_with_its_server() {
        let (stop, stopped) = watch::channel(false);
        let started = Instant::now();
        let (mut watching, _api) = watching(stopped);
        assert!(matches!(next(&mut watching).await, Ok(Some(_))));
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(7)).await;
            stop.send_replace(true);
        });
        assert_eq!(next(&mut watching).await, Ok(None));
        assert_eq!(started.elapsed().as_secs(), 7);
    }
}
