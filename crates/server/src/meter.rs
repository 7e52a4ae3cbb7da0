//! What a connection holds: bytes that were received and belong to no request yet, and requests under way. The first are
//! charged to the memory of all requests, or to that of strangers until a request of the connection was authorized; the
//! second keep the connection from being idle.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;

use crate::body::Answer;
use crate::memory::{Memory, Share};

/// What every connection may hold: the headers of most requests. 20,000 connections hold 80 MiB in this way.
pub(crate) const FREE: usize = 4 * 1024;

/// The step in which more is charged.
const STEP: usize = 16 * 1024;

/// The memory that connections are charged to.
#[derive(Debug, Clone)]
pub(crate) struct Pools {
    pub(crate) memory: Memory,
    /// For unauthenticated clients: they cannot take the memory of others.
    pub(crate) strangers: Memory,
}

/// The account of a connection.
pub(crate) struct Meter {
    pools: Pools,
    /// The user of the first request that was authorized.
    user: OnceLock<Arc<str>>,
    state: Mutex<State>,
}

struct State {
    /// How many bytes were received since a request or a part of its body was handed over.
    unread: usize,
    shares: Vec<Share>,
    under_way: usize,
    /// When the last request ended.
    quiet: Instant,
    has_asked: bool,
}

impl Meter {
    pub(crate) fn new(pools: Pools) -> Arc<Self> {
        let state = State {
            unread: 0,
            shares: Vec::new(),
            under_way: 0,
            quiet: Instant::now(),
            has_asked: false,
        };
        Arc::new(Meter {
            pools,
            user: OnceLock::new(),
            state: Mutex::new(state),
        })
    }

    /// A request of this user was authorized.
    pub(crate) fn know(&self, user: &str) {
        self.user.get_or_init(|| user.into());
    }

    /// The memory that the next bytes are charged to, and the user whose share it is.
    fn pool(&self) -> (&Memory, &str) {
        match self.user.get() {
            Some(user) => (&self.pools.memory, user),
            None => (&self.pools.strangers, ""),
        }
    }

    /// Room for some bytes, if it is free now.
    pub(crate) fn try_take(&self, bytes: usize) -> Option<Share> {
        let (pool, user) = self.pool();
        pool.try_take(user, bytes)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A request begins.
    pub(crate) fn begin(self: &Arc<Self>) -> UnderWay {
        self.hand_over();
        let mut state = self.lock();
        state.under_way += 1;
        state.has_asked = true;
        UnderWay(Arc::clone(self))
    }

    /// What was received is now a request, or a part of one.
    fn hand_over(&self) {
        let mut state = self.lock();
        state.unread = 0;
        state.shares.clear();
    }

    /// Counts received bytes; returns whether they need more memory than is charged.
    fn receive(&self, bytes: usize) -> bool {
        let mut state = self.lock();
        state.unread += bytes;
        state.unread > FREE + STEP * state.shares.len()
    }

    /// Returns when there was no request for long: `first` before the first one, `idle` between two.
    pub(crate) async fn is_idle(&self, first: Duration, idle: Duration) {
        loop {
            let end = {
                let state = self.lock();
                let limit = if state.has_asked { idle } else { first };
                match state.under_way {
                    0 => state.quiet + limit,
                    _ => Instant::now() + limit,
                }
            };
            let now = Instant::now();
            if end <= now {
                return;
            }
            // The limit may become another one meanwhile.
            tokio::time::sleep_until(end.min(now + first.min(idle))).await;
        }
    }
}

/// A request under way, until its answer is sent.
pub(crate) struct UnderWay(Arc<Meter>);

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.under_way -= 1;
        state.quiet = Instant::now();
    }
}

/// The body of a request.
pub(crate) struct Metered {
    pub(crate) body: Incoming,
    pub(crate) meter: Arc<Meter>,
}

impl Body for Metered {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<hyper::Result<Frame<Bytes>>>> {
        let this = self.get_mut();
        let frame = ready!(Pin::new(&mut this.body).poll_frame(context));
        this.meter.hand_over();
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The body of an answer, which ends its request.
pub(crate) struct Sent {
    pub(crate) answer: Answer,
    pub(crate) _under_way: UnderWay,
}

impl Body for Sent {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        Pin::new(&mut self.get_mut().answer).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.answer.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.answer.size_hint()
    }
}

/// A stream that reads no more than its connection may hold.
pub(crate) struct Counted<S> {
    stream: S,
    meter: Arc<Meter>,
    /// Room for the next step, if it is needed.
    room: Option<Pin<Box<dyn Future<Output = Option<Share>> + Send>>>,
}

impl<S> Counted<S> {
    pub(crate) fn new(stream: S, meter: Arc<Meter>) -> Self {
        Counted {
            stream,
            meter,
            room: None,
        }
    }

    fn poll_room(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if let Some(room) = &mut self.room {
            let share = ready!(room.as_mut().poll(context));
            self.room = None;
            let share = share.ok_or_else(|| io::Error::other("there is no memory for this request"))?;
            self.meter.lock().shares.push(share);
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Counted<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        ready!(this.poll_room(context))?;
        let before = into.filled().len();
        ready!(Pin::new(&mut this.stream).poll_read(context, into))?;
        if this.meter.receive(into.filled().len() - before) {
            let meter = Arc::clone(&this.meter);
            this.room = Some(Box::pin(async move {
                let (pool, user) = meter.pool();
                pool.take(user, STEP).await
            }));
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Counted<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn pools() -> Pools {
        Pools {
            memory: Memory::new(3 * STEP, SECOND),
            strangers: Memory::of_strangers(3 * STEP, SECOND),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_belongs_to_no_request_is_charged() {
        let pools = pools();
        let memory = pools.strangers.clone();
        let meter = Meter::new(pools);
        let (near, mut far) = duplex(8 * STEP);
        let mut stream = Counted::new(near, Arc::clone(&meter));
        far.write_all(&vec![7; 8 * STEP]).await.expect("there is room");
        stream
            .read_exact(&mut vec![0; FREE])
            .await
            .expect("there is room");
        let first = memory.try_take("", 3 * STEP);
        assert!(first.is_some(), "what every connection may hold is not charged");
        drop(first);
        let mut buffer = vec![0; STEP];
        for _ in 0..2 {
            stream.read_exact(&mut buffer).await.expect("there is room");
        }
        assert!(memory.try_take("", 3 * STEP).is_none(), "a step is charged");
        let taken = memory.take("", 2 * STEP).await;
        assert!(taken.is_some(), "and no more than needed");
        let error = stream.read_exact(&mut vec![0; 3 * STEP]).await;
        assert!(error.is_err(), "there is no room for more");
        drop(taken);
        drop(meter.begin());
        assert!(
            memory.try_take("", 3 * STEP).is_some(),
            "a request has its own account"
        );
    }

    #[test]
    fn strangers_have_their_own_memory() {
        let pools = pools();
        let meter = Meter::new(pools.clone());
        let held = meter.try_take(3 * STEP);
        assert!(held.is_some() && pools.strangers.try_take("", 1).is_none());
        meter.know("somebody");
        assert!(meter.try_take(3 * STEP).is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_without_requests_is_idle() {
        let meter = Meter::new(pools());
        let start = Instant::now();
        meter.is_idle(SECOND, 5 * SECOND).await;
        assert_eq!(start.elapsed(), SECOND);
        let request = meter.begin();
        let idle = meter.is_idle(SECOND, 5 * SECOND);
        assert!(
            tokio::time::timeout(60 * SECOND, idle).await.is_err(),
            "it is busy"
        );
        drop(request);
        let start = Instant::now();
        meter.is_idle(SECOND, 5 * SECOND).await;
        assert_eq!(start.elapsed(), 5 * SECOND);
    }
}
