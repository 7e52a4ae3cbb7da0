//! One request and its answer: authentication, queueing, the API's answer, and headers.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::Body as _;
use kindsmith_api::{Api, Authorized, Content, Environment, RequestInfo, Response, User};
use kindsmith_gostd::budget::{self, Budget, Excess, Pool, Stopped};
use kindsmith_json::{Arena, Value};
use kindsmith_object::Gate;
use kindsmith_object::well_known::{group, user};
use tokio::sync::{Semaphore, watch};

use crate::asked::{OwnedRequest, head_bytes, host_fault};
use crate::audit::{Audit, Audited};
use crate::body::{Answer, Watching};
use crate::browser;
use crate::compress::gzip;
use crate::fairness::{Seat, Seats};
use crate::identity::Identity;
use crate::large::{Large, Sending};
use crate::log::{self, Log};
use crate::memory::{Memory, Share};
use crate::meter::{FREE, Metered, Pools};
use crate::metrics::{Labels, Metrics, Traffic};
use crate::received;
use crate::reply::{busy, cause, http, panicked, refusal, text};
use crate::slow_watch::Steps;
use crate::threads::Threads;
use crate::tls::Presented;
use crate::working::{self, Busy, Working};
use crate::{Gates, Limits, System, WebhookMetrics, process, stored};

/// What is small enough to be held by many answers.
const SMALL: usize = 16 * 1024;

/// The share of the memory for unauthenticated clients.
const STRANGERS: usize = 8;

/// How many bodies of refused requests are read at once; the others end their connection.
const DISCARDS: usize = 1_000;

/// How much of the body of a refused request is read; a longer one ends the connection.
const DISCARDED: usize = 256 * 1024;

/// A request under way.
struct Exchange {
    id: String,
    traffic: Traffic,
    started: Instant,
}

/// What all requests of a server share.
pub(crate) struct Handler {
    pub(crate) api: Arc<Api>,
    pub(crate) identity: Identity,
    pub(crate) limits: Limits,
    pub(crate) reads: Arc<Seats>,
    pub(crate) writes: Arc<Seats>,
    pub(crate) heavy: Arc<Seats>,
    /// Seats of administrators.
    pub(crate) administrators: Arc<Seats>,
    /// Places of requests that wait for webhooks.
    pub(crate) places: Arc<Seats>,
    /// Threads of requests that may wait.
    pub(crate) threads: Arc<Threads>,
    /// Turns of watches that have much to send.
    pub(crate) turns: Arc<Semaphore>,
    pub(crate) memory: Memory,
    pub(crate) answers: Memory,
    /// Large answers.
    pub(crate) sending: Arc<Sending>,
    /// What writes work in.
    pub(crate) work: Arc<Pool>,
    /// The same for reads.
    pub(crate) reading: Arc<Pool>,
    pub(crate) strangers: Memory,
    pub(crate) discards: Semaphore,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) audit: Option<Audit>,
    pub(crate) webhook_metrics: Option<Arc<WebhookMetrics>>,
    pub(crate) log: Log,
    pub(crate) compresses: bool,
    /// Becomes true when the server stops.
    pub(crate) stop: watch::Receiver<bool>,
    /// Whether requests may wait for a disk or another machine, and so must not block a worker thread.
    pub(crate) is_slow: bool,
    /// Whether authentication and authorization are off.
    pub(crate) trusts_everybody: bool,
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
            heavy: Seats::new(limits.heavy, &limits),
            administrators: Seats::new(limits.reads + limits.writes, &limits),
            places: Seats::new(limits.webhook_waits, &limits),
            threads: Arc::default(),
            turns: Arc::new(Semaphore::new((limits.heavy / 2).max(1))),
            memory: Memory::new(limits.memory / 2, limits.patience),
            work: Pool::new(limits.work as u64),
            reading: Pool::new(limits.work as u64),
            answers: Memory::new(limits.memory / 2, limits.patience),
            sending: Sending::new(limits.stall),
            strangers: Memory::of_strangers(limits.memory / STRANGERS, limits.patience),
            discards: Semaphore::new(DISCARDS),
            compresses: gates.is_on(Gate::APIResponseCompression),
            metrics: Arc::new(Metrics::new(gates)),
            limits,
            audit: None,
            webhook_metrics: None,
            log: Log::default(),
            stop,
            is_slow: false,
            trusts_everybody: false,
        }
    }

    pub(crate) fn pools(&self) -> Pools {
        Pools {
            memory: self.memory.clone(),
            strangers: self.strangers.clone(),
        }
    }

    /// Answers a request; the connection's client certificate may identify the user.
    pub(crate) async fn answer(
        self: Arc<Self>,
        request: hyper::Request<Metered>,
        certificate: Option<Presented>,
    ) -> hyper::Response<Answer> {
        let started = Instant::now();
        let (head, body) = request.into_parts();
        if let Some(message) = host_fault(&head) {
            let refusal = text(400, "text/plain; charset=utf-8", message.to_owned());
            return self.finish("", "", refusal, None).await;
        }
        let bytes = head_bytes(&head);
        let memory = (bytes > FREE).then(|| body.meter.try_take(bytes));
        if memory.as_ref().is_some_and(Option::is_none) {
            return self.finish("", "", busy(), None).await;
        }
        let mut asked = OwnedRequest::new(&head);
        drop(head);
        let id = match asked.header("audit-id") {
            Some(id) if !id.is_empty() => id.to_owned(),
            _ => uuid(),
        };
        let info = asked.with(|request| self.api.info(request));
        let traffic = match &*info.verb {
            "watch" => Traffic::Watching,
            "get" | "list" | "head" | "options" => Traffic::Reading,
            _ => Traffic::Writing,
        };
        let exchange = Exchange { id, traffic, started };
        match self.receive(&mut asked, &info, body, certificate.as_ref()).await {
            Ok((authorized, memory)) => {
                let asked = Arc::new(asked);
                self.dispatch(asked, info, authorized, memory, exchange).await
            }
            Err(refusal) => {
                self.record(&asked, &info, &exchange, &refusal, &Annotations::new());
                self.finish(&exchange.id, "", refusal, None).await
            }
        }
    }

    /// Decides who asks and whether they may, and only then reads the body.
    async fn receive(
        &self,
        asked: &mut OwnedRequest,
        info: &RequestInfo,
        body: Metered,
        certificate: Option<&Presented>,
    ) -> Result<(Authorized, Vec<Share>), Response> {
        let has_body = !body.is_end_stream();
        let authorized = match self.admit(asked, info, has_body, certificate) {
            Ok(authorized) => authorized,
            Err(refusal) => {
                // Large bodies are not kept for clients that are not allowed to ask.
                if asked.head_bytes() <= SMALL {
                    self.discard(body).await;
                }
                return Err(refusal);
            }
        };
        body.meter.know(&asked.user.name);
        asked.impersonated = authorized.impersonated().cloned();
        if !has_body {
            return Ok((authorized, Vec::new()));
        }
        let received = received::read(body, &asked.user.name, &self.memory, &self.limits).await?;
        asked.body = received.bytes;
        Ok((authorized, received.shares))
    }

    fn admit(
        &self,
        asked: &mut OwnedRequest,
        info: &RequestInfo,
        has_body: bool,
        certificate: Option<&Presented>,
    ) -> Result<Authorized, Response> {
        if self.trusts_everybody
            && let Some((code, reason, message)) = browser::refusal(has_body, |name| asked.header(name))
        {
            return Err(refusal(code, reason, &message, None));
        }
        asked.user = self
            .authenticate(asked, certificate)
            .ok_or_else(|| asked.with(Api::unauthorized))?;
        let authorize = || asked.with(|request| self.api.authorize(request, info));
        // Another thread takes over all connections then, which costs more than most decisions.
        let may_wait = self.is_slow
            && (asked.header("impersonate-user").is_some() || !self.api.authorizes_at_once(&asked.user));
        let authorized = if may_wait {
            tokio::task::block_in_place(|| caught(authorize))
        } else {
            caught(authorize)
        };
        authorized.unwrap_or_else(|why| Err(unwound(&*why)))
    }

    /// Reads a short body without keeping it: many clients do not look for an answer before they have sent everything.
    async fn discard(&self, mut body: Metered) {
        let Ok(_place) = self.discards.try_acquire() else {
            return;
        };
        let discarding = async {
            let mut left = DISCARDED;
            while let Some(Ok(frame)) = body.frame().await {
                let bytes = frame.data_ref().map_or(0, Bytes::len);
                match left.checked_sub(bytes) {
                    Some(rest) => left = rest,
                    None => return,
                }
            }
        };
        let _ = tokio::time::timeout(self.limits.stall, discarding).await;
    }

    /// Authenticates a request.
    fn authenticate(&self, asked: &OwnedRequest, certificate: Option<&Presented>) -> Option<User> {
        let authorization = asked.header("authorization");
        if self.trusts_everybody {
            return Some(User {
                name: user::UNSECURED.to_owned(),
                groups: vec![group::MASTERS.to_owned(), group::AUTHENTICATED.to_owned()],
                ..User::default()
            });
        }
        if let Some(user) = self.identity.behind_proxy(certificate, &asked.headers) {
            return Some(user);
        }
        self.identity
            .authenticate(authorization, certificate)
            .or_else(|| {
                let token = authorization.and_then(crate::identity::bearer)?;
                self.api.service_account(token)
            })
    }

    /// Queues a request, then passes it to the API.
    async fn dispatch(
        self: &Arc<Self>,
        asked: Arc<OwnedRequest>,
        info: RequestInfo,
        authorized: Authorized,
        memory: Vec<Share>,
        exchange: Exchange,
    ) -> hyper::Response<Answer> {
        let (id, traffic) = (&*exchange.id, exchange.traffic);
        let under_way = self.metrics.under_way(traffic);
        let work = self.work_for(&info, traffic);
        let Some(mut held) = self.seats(&asked, &info, traffic, work).await else {
            let refusal = busy();
            self.record(&asked, &info, &exchange, &refusal, &Annotations::new());
            return self.finish(id, "", refusal, None).await;
        };
        held.memory = memory;
        let info = Arc::new(info);
        let ((response, annotations), seat) = match work {
            Work::Light => (self.ask_at_once(&asked, &info, &authorized), held.seat()),
            Work::CatchesUp => {
                let answered = self.catch_up_and_ask(&asked, &info, authorized).await;
                (answered, held.seat())
            }
            Work::Waits | Work::Computes => self.ask_and_wait(&asked, &info, authorized, traffic, held).await,
        };
        self.record(&asked, &info, &exchange, &response, &annotations);
        let Response {
            status,
            headers,
            content,
        } = response;
        match content {
            Content::Watch(events) => {
                let lasts = events.timeout.unwrap_or_else(|| self.watch_time());
                let steps = self.steps(&asked.user);
                let watching = Watching::new(events, steps, lasts, self.stop.clone(), under_way);
                http(status, &headers, id, Answer::Watch(watching))
            }
            content => {
                let response = Response {
                    status,
                    headers,
                    content,
                };
                self.finish(id, &asked.user.name, response, seat).await
            }
        }
    }

    /// How a request is worked on.
    fn work_for(&self, info: &RequestInfo, traffic: Traffic) -> Work {
        if traffic == Traffic::Writing || self.api.may_wait(info) {
            Work::Waits
        } else if self.is_slow {
            if self.api.only_catches_up(info) {
                Work::CatchesUp
            } else {
                Work::Waits
            }
        } else if is_heavy(info) {
            Work::Computes
        } else {
            Work::Light
        }
    }

    /// The seats that a request takes; `None` if it does not get them in time. What computes waits for its turn to do so
    /// before it takes a seat of others.
    async fn seats(
        &self,
        asked: &OwnedRequest,
        info: &RequestInfo,
        traffic: Traffic,
        work: Work,
    ) -> Option<Held> {
        if is_probe(info) {
            return Some(Held::default());
        }
        let computing = match work {
            Work::Computes => Some(self.heavy.take(&asked.user.name).await?),
            Work::Light | Work::CatchesUp | Work::Waits => None,
        };
        let seats = match traffic {
            _ if self.is_administrator(&asked.user) => &self.administrators,
            Traffic::Writing => &self.writes,
            Traffic::Reading | Traffic::Watching => &self.reads,
        };
        let seat = seats.take(&asked.user.name).await?;
        Some(Held {
            working: Some(self.working(seats, asked.user.name.as_str().into(), Some(seat))),
            computing,
            memory: Vec::new(),
        })
    }

    fn working(&self, seats: &Arc<Seats>, client: Arc<str>, seat: Option<Seat>) -> Working {
        Working {
            seats: Arc::clone(seats),
            places: Arc::clone(&self.places),
            client,
            seat,
        }
    }

    /// Administrators have their own seats, so that they never queue behind others (kube-apiserver's priority level `exempt`):
    /// somebody must be able to help.
    fn is_administrator(&self, user: &User) -> bool {
        !self.trusts_everybody && user.groups.iter().any(|group| group == group::MASTERS)
    }

    /// How a watch of a user makes what it sends.
    fn steps(self: &Arc<Self>, user: &User) -> Steps {
        let (handler, client) = (Arc::clone(self), Arc::<str>::from(user.name.as_str()));
        Steps {
            turns: Arc::clone(&self.turns),
            working: Box::new(move || handler.working(&handler.reads, Arc::clone(&client), None)),
        }
    }

    /// Counts, logs and audits a request that is answered.
    fn record(
        &self,
        asked: &OwnedRequest,
        info: &RequestInfo,
        exchange: &Exchange,
        response: &Response,
        annotations: &Annotations,
    ) {
        let status = response.status;
        let Exchange { id, traffic, started } = exchange;
        let labels = Labels::of(
            info,
            asked.header("content-type").unwrap_or_default(),
            &asked.query,
            self.is_known(info, status),
        );
        self.metrics.answered(labels, status, started.elapsed());
        self.log.answered(&log::Answered {
            id,
            method: &asked.method,
            path: &asked.path,
            user: &asked.user.name,
            agent: asked.header("user-agent").unwrap_or_default(),
            status,
            took: started.elapsed(),
            cause: &if status >= 500 {
                cause(response)
            } else {
                String::new()
            },
        });
        if let Some(audit) = &self.audit
            && *traffic == Traffic::Writing
        {
            let uri = if asked.query.is_empty() {
                asked.path.clone()
            } else {
                format!("{}?{}", asked.path, asked.query)
            };
            audit.record(&Audited {
                id,
                time: System.now(),
                user: &asked.user,
                impersonated: asked.impersonated.as_ref(),
                info,
                name: &object_name(asked, info, response),
                uri: &uri,
                code: status,
                annotations,
            });
        }
    }

    /// Whether metrics may name what was asked for: clients must not be able to make up names.
    fn is_known(&self, info: &RequestInfo, status: u16) -> bool {
        if info.is_resource {
            let catalog = self.api.catalog();
            catalog.find(&info.group, &info.version, &info.resource).is_some()
                && status != 404
                && status != 405
        } else {
            status < 400
        }
    }

    /// Passes a request to the API on this thread.
    fn ask_at_once(&self, asked: &OwnedRequest, info: &RequestInfo, authorized: &Authorized) -> Answered {
        let (response, annotations) = self.ask(asked, info, authorized);
        (self.compressed(asked, response), annotations)
    }

    /// The same, once the store's memory has caught up.
    async fn catch_up_and_ask(
        &self,
        asked: &OwnedRequest,
        info: &RequestInfo,
        authorized: Authorized,
    ) -> Answered {
        let caught_up = self.api.catch_up();
        match tokio::time::timeout(self.limit(asked, Traffic::Reading), caught_up).await {
            Ok(outcome) => self.ask_at_once(asked, info, &authorized.caught_up(outcome)),
            Err(_) => unannotated(overdue()),
        }
    }

    /// How long a request may take.
    fn limit(&self, asked: &OwnedRequest, traffic: Traffic) -> Duration {
        match traffic {
            Traffic::Reading => asked
                .timeout()
                .unwrap_or(self.limits.request)
                .min(self.limits.request),
            // Writes know their own time limit, which webhooks share.
            Traffic::Writing | Traffic::Watching => self.limits.request,
        }
    }

    /// Passes a request to the API on a thread that may wait.
    async fn ask_and_wait(
        self: &Arc<Self>,
        asked: &Arc<OwnedRequest>,
        info: &Arc<RequestInfo>,
        authorized: Authorized,
        traffic: Traffic,
        held: Held,
    ) -> (Answered, Option<Seat>) {
        let limit = self.limit(asked, traffic);
        let (handler, asked, info) = (Arc::clone(self), Arc::clone(asked), Arc::clone(info));
        let wanted = Wanted(match traffic {
            Traffic::Writing => Budget::of_memory(&self.work),
            Traffic::Reading => Budget::of_memory(&self.reading),
            Traffic::Watching => Budget::default(),
        });
        let budget = wanted.0.clone();
        let work = self.threads.run(move || {
            // What is held is returned when the work ends, even if nobody waits for it any more.
            let _held = (held.computing, held.memory);
            budget.enter(|| {
                working::enter(held.working, || {
                    let (response, annotations) = handler.ask(&asked, &info, &authorized);
                    (handler.compressed(&asked, response), annotations)
                })
            })
        });
        match tokio::time::timeout(limit, work).await {
            Ok(Ok(answered)) => answered,
            Ok(Err(_)) => (unannotated(panicked()), None),
            Err(_) => (unannotated(overdue()), None),
        }
    }

    /// Passes a request to the API. Metrics are ours, but the API authorizes access to them.
    fn ask(&self, asked: &OwnedRequest, info: &RequestInfo, authorized: &Authorized) -> Answered {
        let answer = || asked.with(|request| self.api.answer(request, info, authorized));
        let (response, annotations) = caught(answer).unwrap_or_else(|why| unannotated(unwound(&*why)));
        if asked.path == "/metrics" && response.status == 404 {
            let calls = self.webhook_metrics.as_ref().map(|calls| calls.text());
            let all = self.metrics.text(&self.api.declarative().tally.counts())
                + &calls.unwrap_or_default()
                + &stored::text(&self.api)
                + &process::text();
            return (
                text(200, "text/plain; version=0.0.4; charset=utf-8", all),
                annotations,
            );
        }
        (response, annotations)
    }

    /// The default duration of a watch: random, so that clients do not all reconnect at once.
    fn watch_time(&self) -> Duration {
        let mut random = [0; 2];
        System.random(&mut random);
        let share = f64::from(u16::from_le_bytes(random)) / f64::from(u16::MAX);
        self.limits.watch.mul_f64(1.0 + share)
    }

    /// The answer with its bytes. A large one keeps its seat and its share of the memory until it is sent.
    async fn finish(
        &self,
        id: &str,
        user: &str,
        response: Response,
        seat: Option<Seat>,
    ) -> hyper::Response<Answer> {
        let Response {
            status,
            headers,
            content,
            ..
        } = response;
        let pieces = match content {
            Content::Pieces(pieces) => pieces,
            content => content.into_bytes().into(),
        };
        if pieces.len() <= SMALL {
            return http(status, &headers, id, Answer::Bytes(pieces.join().into()));
        }
        let Some(memory) = self.answers.take(user, pieces.len()).await else {
            let later = busy();
            return http(
                later.status,
                &later.headers,
                id,
                Answer::Bytes(later.content.into_bytes().into()),
            );
        };
        let large = Large::new(pieces, Box::new((seat, memory)), &self.sending);
        http(status, &headers, id, Answer::Large(large))
    }

    /// The answer, compressed if the client accepts it. Takes long for long ones.
    fn compressed(&self, asked: &OwnedRequest, mut response: Response) -> Response {
        let encodings = asked.header("accept-encoding");
        let compressed = match &mut response.content {
            Content::Bytes(bytes) if self.compresses => gzip(encodings, bytes.len(), [bytes]),
            Content::Pieces(pieces) if self.compresses => {
                let length = pieces.len();
                gzip(encodings, length, std::iter::from_fn(|| pieces.pop(Vec::new())))
            }
            _ => None,
        };
        if let Some(compressed) = compressed {
            response.content = Content::Bytes(compressed);
            response.headers.push(("content-encoding", "gzip".into()));
            response.headers.push(("vary", "Accept-Encoding".into()));
        }
        response
    }
}

/// The name of the object of a request; of one that is created, as the answer or else the body says.
fn object_name(asked: &OwnedRequest, info: &RequestInfo, response: &Response) -> String {
    let of = |bytes: &[u8]| {
        let arena = Arena::new();
        let object = kindsmith_json::parse(&arena, bytes).ok()?;
        let name = object.lookup(&["metadata", "name"]).and_then(Value::as_str)?;
        Some(name.to_owned()).filter(|name| !name.is_empty())
    };
    match &response.content {
        _ if !info.name.is_empty() || *info.verb != *"create" => info.name.clone(),
        Content::Bytes(bytes) if response.status < 300 => {
            of(bytes).or_else(|| of(&asked.body)).unwrap_or_default()
        }
        _ => of(&asked.body).unwrap_or_default(),
    }
}

/// How a request is worked on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    /// Quickly, by the thread that received it.
    Light,
    /// In the same way, once the store's memory has caught up.
    CatchesUp,
    /// By a thread that may wait for a disk, a webhook or another machine.
    Waits,
    /// By one of few threads: it takes long, and the processors are the limit.
    Computes,
}

/// Lists grow with what is stored, and documents with what is served.
fn is_heavy(info: &RequestInfo) -> bool {
    if info.is_resource {
        *info.verb == *"list"
    } else {
        ["/openapi", "/apis", "/api", "/metrics"]
            .iter()
            .any(|path| info.path.starts_with(path))
    }
}

/// Probes are answered however busy the server is.
fn is_probe(info: &RequestInfo) -> bool {
    let first = info.path.split('/').nth(1).unwrap_or_default();
    !info.is_resource && ["healthz", "livez", "readyz"].contains(&first)
}

/// Cancels work when nobody waits for it any more: the client is gone, or its time is over.
struct Wanted(Budget);

impl Drop for Wanted {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// What a request holds until its work ends.
#[derive(Default)]
struct Held {
    working: Option<Working>,
    computing: Option<Seat>,
    memory: Vec<Share>,
}

impl Held {
    /// The seat, when the work is done.
    fn seat(self) -> Option<Seat> {
        self.working.and_then(|working| working.seat)
    }
}

/// The result of `work`, unless it leaves by unwinding.
fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Box<dyn Any + Send>> {
    std::panic::catch_unwind(AssertUnwindSafe(work))
}

/// The answer to a request whose work was left by unwinding.
fn unwound(why: &(dyn Any + Send)) -> Response {
    match budget::excess() {
        _ if why.is::<Busy>() => busy(),
        _ if !why.is::<Stopped>() => panicked(),
        None => overdue(),
        Some(Excess::Crowded) => busy(),
        Some(Excess::TooLarge) => {
            let message = "Request entity too large: it needs more memory than one request may use";
            refusal(413, "RequestEntityTooLarge", message, None)
        }
    }
}

/// The answer to a request whose time is over.
fn overdue() -> Response {
    let message = "Timeout: request did not complete within the allotted timeout";
    refusal(504, "Timeout", message, None)
}

/// An answer, with what is added to its audit event.
type Answered = (Response, Annotations);

/// What is added to the audit event of a request.
type Annotations = BTreeMap<String, String>;

fn unannotated(response: Response) -> Answered {
    (response, Annotations::new())
}

/// A random identifier.
fn uuid() -> String {
    let mut bytes = [0; 16];
    System.random(&mut bytes);
    kindsmith_gostd::hex::uuid(bytes)
}
