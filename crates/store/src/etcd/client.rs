//! Calls to the members of an etcd cluster. Must not know the requests.

use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use prost::Message;
use tokio::time::{Instant, sleep, timeout_at};
use tonic::codegen::http::uri::PathAndQuery;
use tonic::codegen::tokio_stream::Stream;
use tonic::metadata::MetadataValue;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};
use tonic::{Request, Status, Streaming};
use tonic_prost::ProstCodec;

use super::failure::Failure;
use super::options::{EtcdTls, endpoints};
use super::proto::{WATCH, WatchCreate, WatchRequest, WatchResponse};
use crate::Error;

/// Larger than any response; etcd limits its responses by the limits of requests.
const MESSAGE: usize = 1 << 30;
/// etcd closes connections that ping more often than every five seconds.
const ALIVE_EVERY: Duration = Duration::from_secs(10);
const ALIVE_WITHIN: Duration = Duration::from_secs(5);
const CONNECT_WITHIN: Duration = Duration::from_secs(1);

/// The members of a cluster. One is used at a time, and another one when it fails.
#[derive(Debug)]
pub(super) struct Client {
    members: Vec<(Endpoint, Channel)>,
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
    /// Creates a client; connections are opened on demand. Must be called inside a runtime.
    pub(super) fn new(list: &str, tls: &EtcdTls) -> Result<Self, Error> {
        let members = endpoints(list)
            .into_iter()
            .map(|url| {
                let endpoint = endpoint(&url, tls)
                    .map_err(|error| Error::Unavailable(format!("etcd at {url:?}: {error}").into()))?;
                let channel = endpoint.connect_lazy();
                Ok((endpoint, channel))
            })
            .collect::<Result<Vec<_>, Error>>()?;
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
        request: Q,
        within: Duration,
        repeat: Repeat,
    ) -> Result<A, Failure>
    where
        Q: Message + Clone + 'static,
        A: Message + Default + 'static,
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
            let call = unary(self.channel(member), path, request.clone());
            let failure = match timeout_at(attempt, call).await {
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(status)) => Failure::of(&status),
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

    /// Opens a stream of events on a connection of its own.
    pub(super) async fn watch(&self, create: WatchCreate) -> Result<Streaming<WatchResponse>, Failure> {
        let member = self.current.load(Ordering::Relaxed);
        let (endpoint, _) = &self.members[member % self.members.len()];
        let opened = async {
            let channel = endpoint
                .connect()
                .await
                .map_err(|error| Status::from_error(error.into()))?;
            let mut grpc = tonic::client::Grpc::new(channel).max_decoding_message_size(MESSAGE);
            grpc.ready()
                .await
                .map_err(|error| Status::from_error(error.into()))?;
            let request = request(Once(Some(WatchRequest { create: Some(create) })));
            let codec = ProstCodec::default();
            grpc.streaming(request, PathAndQuery::from_static(WATCH), codec)
                .await
        };
        match timeout_at(Instant::now() + ALIVE_EVERY, opened).await {
            Ok(Ok(response)) => Ok(response.into_inner()),
            Ok(Err(status)) => Err(Failure::of(&status)),
            Err(_) => Err(Failure::lost("etcd: no stream of events")),
        }
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

    fn channel(&self, member: usize) -> Channel {
        self.members[member % self.members.len()].1.clone()
    }
}

fn endpoint(url: &str, tls: &EtcdTls) -> Result<Endpoint, tonic::transport::Error> {
    let endpoint = Endpoint::from_shared(url.to_owned())?
        .connect_timeout(CONNECT_WITHIN)
        .http2_keep_alive_interval(ALIVE_EVERY)
        .keep_alive_timeout(ALIVE_WITHIN)
        .keep_alive_while_idle(true)
        .http2_adaptive_window(true);
    if !url.starts_with("https://") {
        return Ok(endpoint);
    }
    let mut config = ClientTlsConfig::new();
    if let Some(ca) = &tls.ca {
        config = config.ca_certificate(Certificate::from_pem(ca));
    }
    if let Some((certificate, key)) = &tls.identity {
        config = config.identity(Identity::from_pem(certificate, key));
    }
    endpoint.tls_config(config)
}

async fn unary<Q, A>(channel: Channel, path: &'static str, message: Q) -> Result<A, Status>
where
    Q: Message + 'static,
    A: Message + Default + 'static,
{
    let mut grpc = tonic::client::Grpc::new(channel).max_decoding_message_size(MESSAGE);
    grpc.ready()
        .await
        .map_err(|error| Status::from_error(error.into()))?;
    let codec = ProstCodec::default();
    let answer = grpc.unary(request(message), PathAndQuery::from_static(path), codec);
    Ok(answer.await?.into_inner())
}

/// A member without a leader should fail instead of waiting for one.
fn request<T>(message: T) -> Request<T> {
    let mut request = Request::new(message);
    let yes = MetadataValue::from_static("true");
    request.metadata_mut().insert("hasleader", yes);
    request
}

/// One message, and then a stream that stays open: etcd treats its end as the end of the watch.
struct Once(Option<WatchRequest>);

impl Stream for Once {
    type Item = WatchRequest;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<WatchRequest>> {
        self.0
            .take()
            .map_or(Poll::Pending, |first| Poll::Ready(Some(first)))
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
