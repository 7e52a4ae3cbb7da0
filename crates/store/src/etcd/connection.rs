//! HTTP/2 connections to the members of a cluster. Must not know what is asked over them.

use std::fmt;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::Duration;

use h2::client::{Builder, SendRequest};
use h2::{Ping, PingPong};
use http::Uri;
use http::uri::PathAndQuery;
use prost::bytes::Bytes;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep, timeout};
use tokio_rustls::TlsConnector;

use super::failure::Failure;
use super::options::EtcdTls;
use super::unhurried::Unhurried;
use crate::Error;

/// etcd closes connections that ping more often than every five seconds, or while nothing is asked.
pub(super) const ALIVE_EVERY: Duration = Duration::from_secs(10);
const ALIVE_WITHIN: Duration = Duration::from_secs(5);
const CONNECT_WITHIN: Duration = Duration::from_secs(1);
/// Who holds a connection without requests: the member, and the task that drives it.
const UNUSED: usize = 2;
/// What may be on its way to us: large enough that etcd rarely waits for permission to send more.
const STREAM_WINDOW: u32 = 4 << 20;
const WINDOW: u32 = 16 << 20;

/// A member of a cluster, with one connection that all requests share. It is opened when it is needed.
pub(super) struct Member {
    /// Its scheme and authority.
    origin: Uri,
    host: Box<str>,
    port: u16,
    tls: Option<(TlsConnector, ServerName<'static>)>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    open: Option<Open>,
    /// When the last attempt that failed was started, and why it failed.
    failed: Option<(Instant, Failure)>,
}

/// A connection.
#[derive(Clone)]
pub(super) struct Open {
    pub(super) requests: SendRequest<Bytes>,
    origin: Uri,
    /// Whether it answers no more.
    ended: Arc<AtomicBool>,
}

impl Member {
    pub(super) fn new(url: &str, tls: &EtcdTls) -> Result<Self, Error> {
        let wrong = |why: &str| Error::Unavailable(format!("etcd at {url:?}: {why}").into());
        let uri: Uri = url.parse().map_err(|_| wrong("this is not an address"))?;
        let host = uri.host().ok_or_else(|| wrong("this is not an address"))?;
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let is_secure = uri.scheme_str() == Some("https");
        let tls = if is_secure {
            let name = ServerName::try_from(host.to_owned()).map_err(|error| wrong(&error.to_string()))?;
            let connector = connector(tls).map_err(|error| wrong(&error.to_string()))?;
            Some((connector, name))
        } else {
            None
        };
        Ok(Self {
            host: host.into(),
            port: uri.port_u16().unwrap_or(if is_secure { 443 } else { 80 }),
            tls,
            state: Mutex::default(),
            origin: uri,
        })
    }

    /// Returns the connection, ready for a request, or opens it.
    pub(super) async fn open(&self) -> Result<Open, Failure> {
        let asked = Instant::now();
        for _ in 0..2 {
            let mut open = self.opened(asked).await?;
            // Waits while the member has as many requests as it accepts.
            match poll_fn(|cx| open.requests.poll_ready(cx)).await {
                Ok(()) => return Ok(open),
                // Closed by the member since it was used last.
                Err(_) => open.ended.store(true, Ordering::Relaxed),
            }
        }
        Err(Failure::unsent("the connection was closed"))
    }

    async fn opened(&self, asked: Instant) -> Result<Open, Failure> {
        let mut state = self.state.lock().await;
        if let Some(open) = state.open.as_ref().filter(|open| !open.is_ended()) {
            return Ok(open.clone());
        }
        // Those who waited for an attempt that was started after their request share its outcome.
        if let Some((_, failure)) = state.failed.as_ref().filter(|(started, _)| *started >= asked) {
            return Err(failure.clone());
        }
        let started = Instant::now();
        // Most requests have no use for its room.
        let connected = timeout(CONNECT_WITHIN, Box::pin(self.connect())).await;
        match connected.unwrap_or_else(|_| Err(Failure::unsent("no connection in time"))) {
            Ok(open) => Ok(state.open.insert(open).clone()),
            Err(failure) => {
                state.failed = Some((started, failure.clone()));
                Err(failure)
            }
        }
    }

    async fn connect(&self) -> Result<Open, Failure> {
        let stream = TcpStream::connect((&*self.host, self.port)).await;
        let stream = stream.map_err(Failure::unsent)?;
        stream.set_nodelay(true).map_err(Failure::unsent)?;
        match &self.tls {
            None => start(stream, &self.origin).await,
            Some((tls, name)) => {
                let stream = tls.connect(name.clone(), stream).await;
                start(stream.map_err(Failure::unsent)?, &self.origin).await
            }
        }
    }
}

impl Open {
    /// Returns the address of a method.
    pub(super) fn uri(&self, method: &'static str) -> Uri {
        let mut parts = self.origin.clone().into_parts();
        parts.path_and_query = Some(PathAndQuery::from_static(method));
        Uri::from_parts(parts).unwrap_or_default()
    }

    fn is_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Member {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.host, self.port)
    }
}

/// Starts to speak HTTP/2. A task drives the connection until it ends.
async fn start(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    origin: &Uri,
) -> Result<Open, Failure> {
    let started = Builder::new()
        .initial_window_size(STREAM_WINDOW)
        .initial_connection_window_size(WINDOW)
        .enable_push(false)
        .handshake(Unhurried::new(stream))
        .await;
    let (requests, mut connection) = started.map_err(Failure::unsent)?;
    let ended = Arc::new(AtomicBool::new(false));
    let open = Open {
        requests,
        origin: origin.clone(),
        ended: Arc::clone(&ended),
    };
    tokio::spawn(async move {
        let mut silent = pin!(silent(connection.ping_pong(), &ended));
        poll_fn(|cx| {
            let is_over =
                Pin::new(&mut connection).poll(cx).is_ready() || silent.as_mut().poll(cx).is_ready();
            if is_over { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        ended.store(true, Ordering::Relaxed);
    });
    Ok(open)
}

/// Ends when the member does not answer a ping. It is only asked while it has requests, which hold the connection, too.
async fn silent(pings: Option<PingPong>, connection: &Arc<AtomicBool>) {
    let Some(mut pings) = pings else { return };
    loop {
        sleep(ALIVE_EVERY).await;
        if Arc::strong_count(connection) > UNUSED {
            let answer = timeout(ALIVE_WITHIN, pings.ping(Ping::opaque())).await;
            if !matches!(answer, Ok(Ok(_))) {
                return;
            }
        }
    }
}

fn connector(tls: &EtcdTls) -> Result<TlsConnector, rustls::Error> {
    let unreadable = |error: pem::Error| rustls::Error::General(error.to_string());
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(tls.ca.as_deref().unwrap_or_default()) {
        roots.add(certificate.map_err(unreadable)?)?;
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots);
    let mut config = match &tls.identity {
        None => builder.with_no_client_auth(),
        Some((certificates, key)) => {
            let chain = CertificateDer::pem_slice_iter(certificates).collect::<Result<_, _>>();
            let key = PrivateKeyDer::from_pem_slice(key).map_err(unreadable)?;
            builder.with_client_auth_cert(chain.map_err(unreadable)?, key)?
        }
    };
    config.alpn_protocols = vec![b"h2".to_vec()];
    Ok(TlsConnector::from(Arc::new(config)))
}
