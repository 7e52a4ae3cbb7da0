//! One request and its answer: authentication, queueing, the API's answer, and headers.

use std::borrow::Cow;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Incoming;
use hyper::header::{HeaderName, HeaderValue};
use kindsmith_api::{Api, Content, Environment, Request, RequestInfo, Response, User};
use kindsmith_json::Arena;
use kindsmith_request::Status;
use tokio::sync::watch;

use crate::audit::Audit;
use crate::body::{Answer, Watching};
use crate::compress::gzip;
use crate::fairness::{Limits, Seats};
use crate::identity::Identity;
use crate::log::{Answered, Log};
use crate::metrics::{Labels, Metrics, Traffic};
use crate::{Gates, System};

/// What all requests of a server share.
pub(crate) struct Handler {
    pub(crate) api: Arc<Api>,
    pub(crate) identity: Identity,
    pub(crate) limits: Limits,
    pub(crate) reads: Arc<Seats>,
    pub(crate) writes: Arc<Seats>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) audit: Option<Audit>,
    pub(crate) log: Log,
    pub(crate) compresses: bool,
    /// Becomes true when the server stops.
    pub(crate) stop: watch::Receiver<bool>,
    /// Whether requests may wait for a disk or another machine, and so must not block a worker thread.
    pub(crate) is_slow: bool,
    /// Whether authentication and authorization are off.
    pub(crate) trusts_everybody: bool,
}

/// A request with its body, owned so that it can move to another thread.
struct OwnedRequest {
    method: String,
    path: String,
    query: String,
    headers: Vec<(String, String)>,
    body: Bytes,
    user: User,
}

impl OwnedRequest {
    fn with<T>(&self, then: impl FnOnce(&Request<'_>) -> T) -> T {
        let headers: Vec<(&str, &str)> = self
            .headers
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        then(&Request {
            method: &self.method,
            path: &self.path,
            query: &self.query,
            headers: &headers,
            body: &self.body,
            user: &self.user,
        })
    }

    fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(header, _)| header == name);
        found.map(|(_, value)| value.as_str())
    }
}

impl Handler {
    pub(crate) fn new(
        api: Arc<Api>,
        identity: Identity,
        limits: Limits,
        gates: Gates,
        stop: watch::Receiver<bool>,
    ) -> Self {
        Handler {
            api,
            identity,
            reads: Seats::new(limits.reads, &limits),
            writes: Seats::new(limits.writes, &limits),
            compresses: gates.is_on("APIResponseCompression"),
            metrics: Arc::new(Metrics::new(gates)),
            limits,
            audit: None,
            log: Log::default(),
            stop,
            is_slow: false,
            trusts_everybody: false,
        }
    }

    /// Answers a request; the connection's client certificate may identify the user.
    pub(crate) async fn answer(
        self: Arc<Self>,
        request: hyper::Request<Incoming>,
        certificate: Option<Arc<User>>,
    ) -> hyper::Response<Answer> {
        let started = Instant::now();
        let (head, body) = request.into_parts();
        let headers: Vec<(String, String)> = head
            .headers
            .iter()
            .map(|(name, value)| {
                (
                    name.as_str().to_owned(),
                    String::from_utf8_lossy(value.as_bytes()).into_owned(),
                )
            })
            .collect();
        let mut asked = OwnedRequest {
            method: head.method.as_str().to_owned(),
            path: head.uri.path().to_owned(),
            query: head.uri.query().unwrap_or_default().to_owned(),
            headers,
            body: Bytes::new(),
            user: User::default(),
        };
        let id = match asked.header("audit-id") {
            Some(id) if !id.is_empty() => id.to_owned(),
            _ => uuid(),
        };
        let Some(user) = self.authenticate(asked.header("authorization"), certificate.as_deref()) else {
            return self.finish(&asked, &id, refusal(401, "Unauthorized", "Unauthorized", None));
        };
        asked.user = user;
        let info = asked.with(|request| self.api.info(request));
        asked.body = match self.read(body).await {
            Ok(bytes) => bytes,
            Err(refusal) => return self.finish(&asked, &id, refusal),
        };
        let traffic = match &*info.verb {
            "watch" => Traffic::Watching,
            "get" | "list" | "head" | "options" => Traffic::Reading,
            _ => Traffic::Writing,
        };
        self.dispatch(Arc::new(asked), info, traffic, &id, started).await
    }

    /// Authenticates a request.
    fn authenticate(&self, authorization: Option<&str>, certificate: Option<&User>) -> Option<User> {
        if self.trusts_everybody {
            return Some(User {
                name: "system:unsecured".to_owned(),
                groups: vec!["system:masters".to_owned(), "system:authenticated".to_owned()],
                ..User::default()
            });
        }
        self.identity.authenticate(authorization, certificate)
    }

    /// Reads a body within the limits for size and time.
    async fn read(&self, body: Incoming) -> Result<Bytes, Response> {
        let collected = Limited::new(body, self.limits.body).collect();
        match tokio::time::timeout(self.limits.request, collected).await {
            Ok(Ok(body)) => Ok(body.to_bytes()),
            Ok(Err(error)) if error.is::<LengthLimitError>() => {
                let message = format!("Request entity too large: limit is {}", self.limits.body);
                Err(refusal(413, "RequestEntityTooLarge", &message, None))
            }
            Ok(Err(error)) => Err(refusal(
                400,
                "BadRequest",
                &format!("the body of the request could not be read: {error}"),
                None,
            )),
            Err(_) => Err(refusal(
                408,
                "Timeout",
                "the body of the request did not arrive in time",
                None,
            )),
        }
    }

    /// Queues a request, then passes it to the API.
    async fn dispatch(
        self: &Arc<Self>,
        asked: Arc<OwnedRequest>,
        info: RequestInfo,
        traffic: Traffic,
        id: &str,
        started: Instant,
    ) -> hyper::Response<Answer> {
        let under_way = self.metrics.under_way(traffic);
        let seats = match traffic {
            Traffic::Writing => &self.writes,
            Traffic::Reading | Traffic::Watching => &self.reads,
        };
        let Some(seat) = seats.take(&asked.user.name).await else {
            let busy = refusal(
                429,
                "TooManyRequests",
                "Too many requests, please try again later.",
                Some(1),
            );
            return self.finish(&asked, id, busy);
        };
        let info = Arc::new(info);
        let response = if self.is_slow || traffic == Traffic::Writing {
            let (handler, asked, info) = (Arc::clone(self), Arc::clone(&asked), Arc::clone(&info));
            let work = tokio::task::spawn_blocking(move || handler.ask(&asked, &info));
            match tokio::time::timeout(self.limits.request, work).await {
                Ok(Ok(response)) => response,
                Ok(Err(_)) => panicked(),
                Err(_) => {
                    let message = "Timeout: request did not complete within the allotted timeout";
                    refusal(504, "Timeout", message, None)
                }
            }
        } else {
            self.ask(&asked, &info)
        };
        drop(seat);
        let labels = Labels::of(
            &info,
            asked.header("content-type").unwrap_or_default(),
            &asked.query,
            !matches!(response.status, 401 | 403 | 404 | 405),
        );
        self.metrics.answered(labels, response.status, started.elapsed());
        self.log.answered(&Answered {
            id,
            method: &asked.method,
            path: &asked.path,
            user: &asked.user.name,
            agent: asked.header("user-agent").unwrap_or_default(),
            status: response.status,
            took: started.elapsed(),
        });
        if let Some(audit) = &self.audit
            && traffic == Traffic::Writing
        {
            let uri = if asked.query.is_empty() {
                asked.path.clone()
            } else {
                format!("{}?{}", asked.path, asked.query)
            };
            audit.record(id, System.now(), &asked.user, &info, &uri, &response);
        }
        let Response {
            status,
            headers,
            content,
            annotations: _,
        } = response;
        match content {
            Content::Bytes(bytes) => self.finish(
                &asked,
                id,
                Response {
                    status,
                    headers,
                    content: Content::Bytes(bytes),
                    annotations: Vec::new(),
                },
            ),
            Content::Watch(events) => {
                let lasts = events.timeout.unwrap_or_else(|| self.watch_time());
                let watching = Watching::new(*events, lasts, self.stop.clone(), under_way);
                http(status, &headers, id, Answer::Watch(watching))
            }
        }
    }

    /// Passes a request to the API. Metrics are ours, but the API authorizes access to them.
    fn ask(&self, asked: &OwnedRequest, info: &RequestInfo) -> Response {
        let answer = || asked.with(|request| self.api.handle(request, info));
        let response = std::panic::catch_unwind(AssertUnwindSafe(answer)).unwrap_or_else(|_| panicked());
        if asked.path == "/metrics" && response.status == 404 {
            return text(
                200,
                "text/plain; version=0.0.4; charset=utf-8",
                self.metrics.text(),
            );
        }
        response
    }

    /// The default duration of a watch: random, so that clients do not all reconnect at once.
    fn watch_time(&self) -> Duration {
        let mut random = [0; 2];
        System.random(&mut random);
        let share = f64::from(u16::from_le_bytes(random)) / f64::from(u16::MAX);
        self.limits.watch.mul_f64(1.0 + share)
    }

    fn finish(&self, asked: &OwnedRequest, id: &str, response: Response) -> hyper::Response<Answer> {
        let Response {
            status,
            mut headers,
            content,
            ..
        } = response;
        let bytes = match content {
            Content::Bytes(bytes) => bytes,
            Content::Watch(_) => Vec::new(),
        };
        let compressed = if self.compresses {
            gzip(asked.header("accept-encoding"), &bytes)
        } else {
            None
        };
        let bytes = match compressed {
            Some(compressed) => {
                headers.push(("content-encoding", "gzip".into()));
                headers.push(("vary", "Accept-Encoding".into()));
                compressed
            }
            None => bytes,
        };
        http(status, &headers, id, Answer::Bytes(bytes.into()))
    }
}

/// The answer with its headers.
fn http(
    status: u16,
    headers: &[(&'static str, Cow<'static, str>)],
    id: &str,
    body: Answer,
) -> hyper::Response<Answer> {
    let mut response = hyper::Response::new(body);
    *response.status_mut() =
        hyper::StatusCode::from_u16(status).unwrap_or(hyper::StatusCode::INTERNAL_SERVER_ERROR);
    let map = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(id) {
        map.insert("audit-id", id);
    }
    map.insert("cache-control", HeaderValue::from_static("no-cache, private"));
    let mut is_cache_told = false;
    for (name, value) in headers {
        let (Ok(name), Ok(value)) = (
            HeaderName::from_bytes(name.as_bytes()),
            HeaderValue::from_bytes(value.as_bytes()),
        ) else {
            continue;
        };
        if name == "cache-control" && !is_cache_told {
            is_cache_told = true;
            map.insert(name, value);
        } else {
            map.append(name, value);
        }
    }
    response
}

/// An error of the server itself, in the API's format.
fn refusal(code: u16, reason: &'static str, message: &str, retry_after: Option<u32>) -> Response {
    let status = Status {
        code,
        reason: reason.into(),
        message: message.to_owned(),
        details: None,
    };
    let arena = Arena::new();
    let body = kindsmith_json::to_string(status.to_value(&arena)) + "\n";
    let mut response = text(code, "application/json", body);
    if let Some(seconds) = retry_after {
        response.headers.push(("retry-after", seconds.to_string().into()));
    }
    response
}

fn panicked() -> Response {
    let message = "This request caused apiserver to panic. Look in the logs for details.";
    text(500, "text/plain; charset=utf-8", message.to_owned())
}

fn text(status: u16, content_type: &'static str, body: String) -> Response {
    Response {
        annotations: Vec::new(),
        status,
        headers: vec![("content-type", content_type.into())],
        content: Content::Bytes(body.into_bytes()),
    }
}

/// A random identifier.
fn uuid() -> String {
    let mut bytes = [0; 16];
    System.random(&mut bytes);
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let hex = crate::identity::hex(&bytes);
    format!(
        "{}-{}-{}-{}-{}",
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..]
    )
}
