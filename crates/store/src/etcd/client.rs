//! Calls to the members of an etcd cluster. Must not know the requests.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use prost::Message;
use tokio::time::{Instant, sleep, timeout_at};

use super::connection::{ALIVE_EVERY, Member};
use super::failure::Failure;
use super::grpc::{Stream, stream, unary};
use super::options::{EtcdTls, endpoints};
use super::proto::{WATCH, WatchCreate, WatchRequest};
use crate::Error;

/// The members of a cluster. One is used at a time, and another one when it fails.
#[derive(Debug)]
pub(super) struct Client {
    members: Vec<Member>,
    current: AtomicUsize,
}

/// When a request may be sent again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Repeat {
    /// Any number of times: it changes nothing, or nothing more the second time.
    Freely,
    /// Only if it has not reached etcd.
    Unsent,
}

impl Client {
    /// Creates a client; connections are opened on demand.
    pub(super) fn new(list: &str, tls: &EtcdTls) -> Result<Self, Error> {
        let urls = endpoints(list);
        let members = urls.iter().map(|url| Member::new(url, tls));
        let members = members.collect::<Result<Vec<_>, Error>>()?;
        if members.is_empty() {
            return Err(Error::Unavailable("no endpoint of etcd is given".into()));
        }
        Ok(Self {
            members,
            current: AtomicUsize::new(0),
        })
    }

    /// Tries one member after the other until there is a response or the time is up.
    pub(super) async fn call<Q, A>(
        &self,
        path: &'static str,
        request: &Q,
        within: Duration,
        repeat: Repeat,
    ) -> Result<A, Failure>
    where
        Q: Message,
        A: Message + Default,
    {
        let deadline = Instant::now() + within;
        let mut pause = Backoff::default();
        loop {
            let member = self.current.load(Ordering::Relaxed);
            let attempt = match repeat {
                // A member that does not respond must not use up the time for all.
                Repeat::Freely => deadline.min(Instant::now() + within / self.count()),
                Repeat::Unsent => deadline,
            };
            let call = async { unary(self.member(member).open().await?, path, request).await };
            let failure = match timeout_at(attempt, call).await {
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(failure)) => failure,
                Err(_) => Failure::lost(format_args!("etcd: no answer in {within:?}")),
            };
            let again = match repeat {
                Repeat::Freely => failure.is_passing(),
                Repeat::Unsent => matches!(failure, Failure::Unsent(_)),
            };
            let pause = pause.next();
            if !again || Instant::now() + pause >= deadline {
                return Err(failure);
            }
            self.leave(member);
            sleep(pause).await;
        }
    }

    /// Opens a stream of events.
    pub(super) async fn watch(&self, create: WatchCreate) -> Result<Stream, Failure> {
        let member = self.member(self.current());
        let request = WatchRequest { create: Some(create) };
        let opened = async { stream(member.open().await?, WATCH, &request).await };
        let opened = timeout_at(Instant::now() + ALIVE_EVERY, opened).await;
        opened.unwrap_or_else(|_| Err(Failure::lost("etcd: no stream of events")))
    }

    /// Switches to another member, unless that has happened already.
    pub(super) fn leave(&self, member: usize) {
        let next = (member + 1) % self.members.len();
        let _ = self
            .current
            .compare_exchange(member, next, Ordering::Relaxed, Ordering::Relaxed);
    }

    pub(super) fn current(&self) -> usize {
        self.current.load(Ordering::Relaxed)
    }

    fn count(&self) -> u32 {
        u32::try_from(self.members.len()).unwrap_or(u32::MAX)
    }

    fn member(&self, member: usize) -> &Member {
        &self.members[member % self.members.len()]
    }
}

/// The delay before the next attempt: doubles each time, up to two seconds.
#[derive(Debug, Default)]
pub(super) struct Backoff(u32);

impl Backoff {
    pub(super) fn next(&mut self) -> Duration {
        let pause = Duration::from_millis(25 << self.0.min(6));
        self.0 += 1;
        pause.min(Duration::from_secs(2))
    }

    pub(super) fn reset(&mut self) {
        self.0 = 0;
    }
}
