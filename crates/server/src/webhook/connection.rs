//! Connections to webhooks, kept for later calls.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{ACCEPT, CONTENT_TYPE, HOST, HeaderValue, LOCATION, REFERER, USER_AGENT};
use hyper_util::rt::TokioIo;
use kindsmith_admission::Answer;
use rustls::pki_types::ServerName;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use super::certificate::{self, Roots};
use super::{Failed, Reach, retry_after};

/// The largest response that is read, in bytes.
const ANSWER_BYTES: usize = 32 * 1024 * 1024;
/// The user agent.
const AGENT: &str = concat!("kindsmith/", env!("CARGO_PKG_VERSION"));
/// How many idle connections to one webhook are kept.
const IDLE_CONNECTIONS: usize = 16;
/// How long an idle connection is kept.
const IDLE_TIME: Duration = Duration::from_mins(1);

/// The target of a call.
pub(super) struct Target {
    pub(super) uri: hyper::Uri,
    /// The host name that the certificate must have.
    pub(super) host: String,
    /// The address to connect to.
    pub(super) address: (String, u16),
    pub(super) ca_bundle: String,
    pub(super) roots: Roots,
    pub(super) reach: Reach,
}

/// What is sent.
pub(super) struct Sent {
    /// The review; without one, the response is read as it is.
    pub(super) body: Option<Bytes>,
    /// The URL that led here.
    pub(super) referer: Option<String>,
}

type Sender = SendRequest<Full<Bytes>>;

/// Identifies connections that can be shared: same name, same address, same trust.
type Key = (String, (String, u16), String);

/// Idle connections.
#[derive(Default)]
pub(super) struct Connections {
    idle: Mutex<HashMap<Key, Vec<(Instant, Sender)>>>,
}

impl Connections {
    /// Sends to a target and reads the answer.
    pub(super) async fn send(&self, target: &Target, sent: &Sent) -> Result<Posted, Failed> {
        let key = (
            target.host.clone(),
            target.address.clone(),
            target.ca_bundle.clone(),
        );
        // The webhook may have closed an idle connection; that is noticed when it is used.
        while let Some(mut kept) = self.take(&key) {
            if kept.ready().await.is_err() {
                continue;
            }
            match exchange(&mut kept, target, sent).await {
                // Nothing was sent, so nothing is sent twice.
                Err(error) if error.is_canceled() => {}
                Err(error) => return Err(Failed::Call(error.to_string())),
                Ok(response) => {
                    let answered = read(response).await?;
                    self.keep(key, kept);
                    return Ok(answered);
                }
            }
        }
        let mut sender = connect(target).await?;
        let response = exchange(&mut sender, target, sent).await;
        let answered = read(response.map_err(|error| Failed::Call(error.to_string()))?).await?;
        self.keep(key, sender);
        Ok(answered)
    }

    fn take(&self, key: &Key) -> Option<Sender> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let senders = idle.get_mut(key)?;
        senders.retain(|(since, sender)| since.elapsed() < IDLE_TIME && !sender.is_closed());
        senders.pop().map(|(_, sender)| sender)
    }

    fn keep(&self, key: Key, sender: Sender) {
        if sender.is_closed() {
            return;
        }
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|_, senders| {
            senders.retain(|(since, sender)| since.elapsed() < IDLE_TIME && !sender.is_closed());
            !senders.is_empty()
        });
        let senders = idle.entry(key).or_default();
        if senders.len() < IDLE_CONNECTIONS {
            senders.push((Instant::now(), sender));
        }
    }
}

async fn connect(target: &Target) -> Result<Sender, Failed> {
    let failed = |error: &dyn std::fmt::Display| Failed::Call(error.to_string());
    let (host, port) = &target.address;
    let addresses = tokio::net::lookup_host((host.as_str(), *port)).await;
    let addresses: Vec<_> = addresses.map_err(|error| failed(&error))?.collect();
    let mut last = Failed::Call(format!("dial tcp: lookup {host}: no such host"));
    for address in addresses {
        target.reach.check(address)?;
        match TcpStream::connect(address).await {
            Ok(stream) => return secure(target, stream).await,
            Err(error) => last = Failed::Call(format!("dial tcp {address}: {}", in_go(&error))),
        }
    }
    Err(last)
}

/// Why there is no connection, as Go words it.
fn in_go(error: &std::io::Error) -> String {
    let why = match error.kind() {
        ErrorKind::ConnectionRefused => "connection refused",
        ErrorKind::ConnectionReset => "connection reset by peer",
        ErrorKind::HostUnreachable => "no route to host",
        ErrorKind::NetworkUnreachable => "network is unreachable",
        ErrorKind::TimedOut => return "i/o timeout".to_owned(),
        _ => return error.to_string(),
    };
    format!("connect: {why}")
}

async fn secure(target: &Target, stream: TcpStream) -> Result<Sender, Failed> {
    let failed = |error: &dyn std::fmt::Display| Failed::Call(error.to_string());
    let _ = stream.set_nodelay(true);
    let config = certificate::config(&target.roots).map_err(|error| failed(&error))?;
    let name = ServerName::try_from(target.host.clone()).map_err(|error| failed(&error))?;
    let stream = TlsConnector::from(config).connect(name, stream).await;
    let stream = stream.map_err(|error| failed(&error))?;
    let (sender, connection) = handshake(TokioIo::new(stream))
        .await
        .map_err(|error| failed(&error))?;
    // The task ends when the sender is dropped or the webhook closes the connection.
    tokio::spawn(async move { connection.await.ok() });
    Ok(sender)
}

async fn exchange(
    sender: &mut Sender,
    target: &Target,
    sent: &Sent,
) -> Result<hyper::Response<Incoming>, hyper::Error> {
    let path = target.uri.path_and_query().map_or("/", |path| path.as_str());
    let authority = target.uri.authority().map_or("", |authority| authority.as_str());
    let mut request = hyper::Request::new(Full::new(sent.body.clone().unwrap_or_default()));
    *request.uri_mut() = path.parse().unwrap_or_default();
    let headers = request.headers_mut();
    if let Ok(authority) = HeaderValue::from_str(authority) {
        headers.insert(HOST, authority);
    }
    headers.insert(USER_AGENT, HeaderValue::from_static(AGENT));
    headers.insert(ACCEPT, HeaderValue::from_static("application/json, */*"));
    if let Some(referer) = sent
        .referer
        .as_deref()
        .and_then(|url| HeaderValue::from_str(url).ok())
    {
        headers.insert(REFERER, referer);
    }
    if sent.body.is_some() {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        *request.method_mut() = hyper::Method::POST;
    }
    sender.ready().await?;
    sender.send_request(request).await
}

/// What came back.
pub(super) struct Posted {
    pub(super) answer: Answer,
    /// The seconds of `Retry-After`.
    pub(super) retry_after: Option<u64>,
    /// Where a redirect leads.
    pub(super) location: Option<String>,
}

async fn read(response: hyper::Response<Incoming>) -> Result<Posted, Failed> {
    let (head, body) = response.into_parts();
    let body = Limited::new(body, ANSWER_BYTES).collect().await;
    let body = body.map_err(|error| Failed::Call(format!("the answer cannot be read: {error}")))?;
    let content_type = head.headers.get(CONTENT_TYPE);
    let content_type = content_type.and_then(|value| value.to_str().ok());
    let answer = Answer {
        status: head.status.as_u16(),
        content_type: content_type.unwrap_or_default().to_owned(),
        body: body.to_bytes().to_vec(),
    };
    let location = head.headers.get(LOCATION);
    Ok(Posted {
        answer,
        retry_after: retry_after(head.headers.get("retry-after")),
        location: location
            .and_then(|value| value.to_str().ok())
            .filter(|location| !location.is_empty())
            .map(str::to_owned),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_to_connect_are_worded_as_in_go() {
        for (kind, expected) in [
            (ErrorKind::ConnectionRefused, "connect: connection refused"),
            (ErrorKind::TimedOut, "i/o timeout"),
            (ErrorKind::AddrNotAvailable, "address not available"),
        ] {
            assert_eq!(in_go(&kind.into()), expected);
        }
    }
}
