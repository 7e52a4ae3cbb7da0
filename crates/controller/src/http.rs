//! One HTTP exchange. Everything else uses the trait [`Http`], so tests and other transports need no socket.

use std::fmt;
use std::future::Future;
use std::time::Duration;

use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use crate::Json;

/// The largest response that is read, in bytes.
pub(crate) const MAX_BODY: usize = 16 << 20;

/// A request.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// GET, POST, PATCH, PUT or DELETE.
    pub method: &'static str,
    /// Path with query, from the root.
    pub path: String,
    /// JSON.
    pub body: Option<Json>,
}

/// A response.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    /// Status code.
    pub status: u16,
    /// `Retry-After` in seconds, if the server sent it.
    pub retry_after: Option<u64>,
    /// JSON; `null` for an empty body.
    pub body: Json,
}

/// Why there is no response. It is unknown whether the request had an effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpError(pub String);

impl fmt::Display for HttpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for HttpError {}

/// Sends requests to one service.
pub trait Http: Send + Sync {
    /// Sends a request.
    fn send(&self, request: Request) -> impl Future<Output = Result<Response, HttpError>> + Send;
}

impl<H: Http> Http for std::sync::Arc<H> {
    fn send(&self, request: Request) -> impl Future<Output = Result<Response, HttpError>> + Send {
        H::send(self, request)
    }
}

/// HTTP without TLS, for a service on the same machine: a fake, or a proxy that adds the credentials.
#[derive(Debug, Clone)]
pub struct PlainHttp {
    /// `HOST:PORT`.
    pub address: String,
    /// The timeout of an exchange.
    pub timeout: Duration,
}

impl Http for PlainHttp {
    async fn send(&self, request: Request) -> Result<Response, HttpError> {
        match tokio::time::timeout(self.timeout, self.exchange(request)).await {
            Ok(answer) => answer,
            Err(_) => Err(HttpError(format!("no answer from {} in time", self.address))),
        }
    }
}

impl PlainHttp {
    async fn exchange(&self, request: Request) -> Result<Response, HttpError> {
        let stream = TcpStream::connect(&self.address).await;
        let stream = stream.map_err(|error| HttpError(format!("{}: {error}", self.address)))?;
        exchange(stream, &self.address, Sent::json(&request, &[])).await
    }
}

/// A request ready to send.
pub(crate) struct Sent<'r> {
    pub(crate) method: &'r str,
    pub(crate) path: &'r str,
    pub(crate) media: &'r str,
    pub(crate) body: String,
    pub(crate) headers: &'r [(&'r str, String)],
}

impl<'r> Sent<'r> {
    pub(crate) fn json(request: &'r Request, headers: &'r [(&'r str, String)]) -> Self {
        Sent {
            method: request.method,
            path: &request.path,
            media: "application/json",
            body: request.body.as_ref().map(ToString::to_string).unwrap_or_default(),
            headers,
        }
    }
}

/// One exchange on its own connection.
async fn exchange<S>(stream: S, host: &str, sent: Sent<'_>) -> Result<Response, HttpError>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let failed = |error: &dyn fmt::Display| HttpError(format!("{host}: {error}"));
    let handshake = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await;
    let (mut sender, connection) = handshake.map_err(|error| failed(&error))?;
    let driver = tokio::spawn(connection);
    let answer = sender.send_request(request(&sent, host)?).await;
    let response = read(answer.map_err(|error| failed(&error))?, host).await;
    driver.abort();
    Ok(response?.parsed())
}

/// The request in the form of hyper.
pub(crate) fn request(sent: &Sent<'_>, host: &str) -> Result<hyper::Request<Full<Bytes>>, HttpError> {
    let mut request = hyper::Request::builder()
        .method(sent.method)
        .uri(sent.path)
        .header("host", host)
        .header("content-type", sent.media);
    for (name, value) in sent.headers {
        request = request.header(*name, value);
    }
    request
        .body(Full::new(Bytes::from(sent.body.clone())))
        .map_err(|error| HttpError(format!("{host}: {error}")))
}

/// A response with its body as it was sent.
pub(crate) struct Raw {
    pub(crate) status: u16,
    retry_after: Option<u64>,
    pub(crate) body: Bytes,
}

impl Raw {
    pub(crate) fn parsed(self) -> Response {
        Response {
            status: self.status,
            retry_after: self.retry_after,
            body: serde_json::from_slice(&self.body).unwrap_or_default(),
        }
    }
}

/// Reads a response to its end.
pub(crate) async fn read(answer: hyper::Response<Incoming>, host: &str) -> Result<Raw, HttpError> {
    let status = answer.status().as_u16();
    let retry_after = answer.headers().get("retry-after");
    let retry_after = retry_after.and_then(|value| value.to_str().ok()?.parse().ok());
    let body = Limited::new(answer.into_body(), MAX_BODY).collect().await;
    let body = body.map_err(|error| HttpError(format!("{host}: {error}")))?;
    Ok(Raw {
        status,
        retry_after,
        body: body.to_bytes(),
    })
}
