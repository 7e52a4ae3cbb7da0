//! An API server, a service and a controller, and the actions of a user.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Mutex, RwLock};
use std::time::Duration;

use kindsmith_api::{Api, Environment, Request, Still, Time, User};
use kindsmith_controller::fake::Fake;
use kindsmith_controller::kinds::Known;
use kindsmith_controller::{
    Adapter as _, Cluster, ClusterError, Controller, Http, Json, Kind, Next, ObjectRef, RestAdapter, kinds,
};
use kindsmith_store::Memory;
use serde_json::json;

/// The clock stands still, and random numbers do not repeat after a restart.
#[derive(Clone)]
struct Shared(Arc<Still>);

impl Environment for Shared {
    fn now(&self) -> Time {
        self.0.now()
    }

    fn random(&self, bytes: &mut [u8]) {
        self.0.random(bytes);
    }
}

/// An API server in this process. What it has in memory is lost with a restart, what it has stored is not.
struct Inside {
    store: Arc<Memory>,
    environment: Shared,
    api: RwLock<Api>,
}

impl Inside {
    fn new() -> Self {
        let (store, environment) = (
            Arc::new(Memory::new()),
            Shared(Arc::new(Still::at(1_790_000_000))),
        );
        let api = RwLock::new(open(&store, &environment));
        Inside {
            store,
            environment,
            api,
        }
    }

    fn restart(&self) {
        *self.api.write().expect("no test panicked") = open(&self.store, &self.environment);
    }
}

fn open(store: &Arc<Memory>, environment: &Shared) -> Api {
    let (store, environment) = (Arc::clone(store), Box::new(environment.clone()));
    let api = Api::open(store, environment, kindsmith_api::Options::default());
    api.expect("a store in memory opens")
}

/// Where the API server is.
#[derive(Clone)]
enum Place {
    /// In this process.
    Here(Arc<Inside>),
    /// Behind plain HTTP at `HOST:PORT`.
    Address(String),
}

/// A call of the controller to the API server fails, as when the server goes away or the controller dies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outage {
    /// How many calls succeed before it.
    pub(crate) after: u64,
    /// Whether the call takes effect before.
    pub(crate) is_done: bool,
    /// Whether the API server restarts.
    pub(crate) restarts: bool,
}

/// An API server.
#[derive(Clone)]
pub(crate) struct Server {
    place: Place,
    events: Arc<Mutex<Vec<String>>>,
    outage: Arc<Mutex<Option<Outage>>>,
    pub(crate) writes: Arc<AtomicU32>,
}

impl Server {
    pub(crate) fn new() -> Self {
        Self::inside(kinds::ALL)
    }

    /// One that has no other kind: it restarts in a tenth of the time.
    pub(crate) fn only(which: Which) -> Self {
        Self::inside(std::slice::from_ref(&kinds::ALL[which as usize]))
    }

    fn inside(kinds: &[Known]) -> Self {
        Self::at(Place::Here(Arc::new(Inside::new())), kinds)
    }

    /// One that listens at `HOST:PORT` and lets everybody do everything.
    #[allow(dead_code, reason = "for tests over HTTP")]
    pub(crate) fn listening(address: &str) -> Self {
        Self::at(Place::Address(address.to_owned()), kinds::ALL)
    }

    /// One that listens at `HOST:PORT` and has everything already.
    #[allow(dead_code, reason = "for tests over HTTP")]
    pub(crate) fn connected(address: &str) -> Self {
        Self::empty(Place::Address(address.to_owned()))
    }

    /// One whose CRDs have no more in their statuses than conditions and the observed generation.
    #[allow(dead_code, reason = "not for benches")]
    pub(crate) fn with_pruned_status() -> Self {
        let server = Self::new();
        for known in kinds::ALL {
            let kind = (known.kind)().expect("the tables are right");
            let path = format!(
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{}.{}",
                kind.plural, kind.group
            );
            let mut definition = server.send("GET", &path, "application/json", "", 200);
            let status =
                &mut definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["status"];
            if let Some(fields) = status["properties"].as_object_mut() {
                fields.retain(|name, _| name == "conditions" || name == "observedGeneration");
            }
            server.send("PUT", &path, "application/json", &definition.to_string(), 200);
        }
        server
    }

    fn empty(place: Place) -> Self {
        Server {
            place,
            events: Arc::default(),
            outage: Arc::default(),
            writes: Arc::default(),
        }
    }

    fn at(place: Place, kinds: &[Known]) -> Self {
        let server = Self::empty(place);
        for known in kinds {
            let kind = (known.kind)().expect("the tables are right");
            let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
            server.send("POST", path, "application/yaml", kind.definition, 201);
        }
        let namespace = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "park" } });
        server.send(
            "POST",
            "/api/v1/namespaces",
            "application/json",
            &namespace.to_string(),
            201,
        );
        server
    }

    #[track_caller]
    pub(crate) fn send(&self, method: &str, path: &str, media: &str, body: &str, expected: u16) -> Json {
        let (status, answer) = self.ask(method, path, media, body);
        assert_eq!(status, expected, "{method} {path}: {answer}");
        answer
    }

    fn ask(&self, method: &str, path: &str, media: &str, body: &str) -> (u16, Json) {
        match &self.place {
            Place::Here(server) => {
                let api = server.api.read().expect("no test panicked");
                inside(&api, method, path, media, body)
            }
            Place::Address(address) => exchange(address, method, path, media, body),
        }
    }

    pub(crate) fn events(&self) -> Vec<String> {
        std::mem::take(&mut self.events.lock().expect("no test panicked"))
    }

    pub(crate) fn plan(&self, outage: Option<Outage>) {
        *self.outage.lock().expect("no test panicked") = outage;
    }

    /// A call of the controller.
    fn call(&self, method: &str, path: &str, media: &str, body: &str) -> Result<(u16, Json), ClusterError> {
        let mut planned = self.outage.lock().expect("no test panicked");
        let outage = match &mut *planned {
            None => return Ok(self.ask(method, path, media, body)),
            Some(outage) if outage.after > 0 => {
                outage.after -= 1;
                return Ok(self.ask(method, path, media, body));
            }
            Some(outage) => *outage,
        };
        *planned = None;
        if outage.is_done {
            self.ask(method, path, media, body);
        }
        if let (true, Place::Here(server)) = (outage.restarts, &self.place) {
            server.restart();
        }
        Err(ClusterError::Failed("the server is away".to_owned()))
    }
}

impl Cluster for Server {
    async fn get(&self, what: &ObjectRef) -> Result<Option<Json>, ClusterError> {
        match self.call("GET", &what.path(), "application/json", "")? {
            (200, object) => Ok(Some(object)),
            (404, _) => Ok(None),
            (_, status) => Err(ClusterError::Failed(status.to_string())),
        }
    }

    async fn patch(&self, what: &ObjectRef, status: bool, patch: &Json) -> Result<Json, ClusterError> {
        self.writes.fetch_add(1, Ordering::Relaxed);
        let path = format!("{}{}", what.path(), if status { "/status" } else { "" });
        match self.call("PATCH", &path, "application/merge-patch+json", &patch.to_string())? {
            (200, object) => Ok(object),
            (404, _) => Err(ClusterError::Gone),
            (409, status) => Err(ClusterError::Conflict(status["message"].to_string())),
            (_, status) => Err(ClusterError::Failed(status["message"].to_string())),
        }
    }

    async fn create(&self, what: &ObjectRef, object: &Json) -> Result<Json, ClusterError> {
        let path = what.path();
        let collection = path.rsplit_once('/').map_or("", |(collection, _)| collection);
        match self.call("POST", collection, "application/json", &object.to_string())? {
            (201, object) => Ok(object),
            (409, status) => Err(ClusterError::Conflict(status["message"].to_string())),
            (_, status) => Err(ClusterError::Failed(status["message"].to_string())),
        }
    }

    async fn event(&self, _: &Json, warning: bool, reason: &str, message: &str) {
        let kind = if warning { "Warning" } else { "Normal" };
        let event = format!("{kind} {reason}: {message}");
        self.events.lock().expect("no test panicked").push(event);
    }
}

/// A request without a connection.
fn inside(api: &Api, method: &str, path: &str, media: &str, body: &str) -> (u16, Json) {
    let user = User {
        name: "admin".to_owned(),
        groups: vec!["system:masters".to_owned()],
        ..User::default()
    };
    let request = Request {
        method,
        path,
        query: "fieldManager=user",
        headers: &[("content-type", media), ("accept", "application/json")],
        body: body.as_bytes(),
        user: &user,
    };
    let response = api.handle(&request, &api.info(&request));
    (
        response.status,
        serde_json::from_slice(&response.content.into_bytes()).unwrap_or_default(),
    )
}

/// A request on a connection of its own.
fn exchange(address: &str, method: &str, path: &str, media: &str, body: &str) -> (u16, Json) {
    // Nobody listens while a server restarts.
    let Ok(mut stream) = TcpStream::connect(address) else {
        return (503, Json::Null);
    };
    let length = body.len();
    let request = format!(
        "{method} {path}?fieldManager=user HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\naccept: application/json\r\n\
         content-type: {media}\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).expect("the server reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the server answers");
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    (
        status.unwrap_or_default(),
        serde_json::from_str(body).unwrap_or_default(),
    )
}

/// One object under control.
pub(crate) struct World<H = Fake> {
    pub(crate) server: Server,
    pub(crate) fake: Fake,
    pub(crate) controller: Controller<Server, RestAdapter<H>>,
    pub(crate) what: ObjectRef,
    pub(crate) identity: String,
}

/// The kind under test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    SqlInstance = 0,
    PubSubTopic = 1,
}

impl World {
    pub(crate) fn new(which: Which) -> Self {
        Self::named(which, Server::only(which), "lion")
    }

    /// An object on a shared server, with its own service.
    pub(crate) fn named(which: Which, server: Server, name: &str) -> Self {
        let fake = Fake::default();
        Self::with(which, server, fake.clone(), fake).called(name)
    }
}

impl<H: Http> World<H> {
    pub(crate) fn with(which: Which, server: Server, fake: Fake, http: H) -> Self {
        Self::of(which as usize, server, fake, http)
    }

    /// An object of any kind, by its place in the list.
    pub(crate) fn of(which: usize, server: Server, fake: Fake, http: H) -> Self {
        static KINDS: LazyLock<Vec<Arc<Kind>>> = LazyLock::new(|| {
            let kinds = kinds::ALL
                .iter()
                .map(|known| (known.kind)().expect("the tables are right"));
            kinds.map(Arc::new).collect()
        });
        let described = kinds::ALL[which].described().expect("the descriptions are right");
        let kind = Arc::clone(&KINDS[which]);
        let adapter = RestAdapter {
            http,
            prefix: described.prefix.clone(),
            rest: kind.rest,
        };
        let parameters = kind.parameters(&json!({ "spec": described.example }), "park");
        let identity = adapter.identity_at(&parameters, "lion");
        World {
            what: kind.object("park", "lion"),
            controller: Controller::new(server.clone(), adapter, kind),
            server,
            fake,
            identity,
        }
    }

    /// The same with another name.
    pub(crate) fn called(mut self, name: &str) -> Self {
        self.identity = self.identity.replace("lion", name);
        self.what.name = name.to_owned();
        self
    }

    pub(crate) fn kind(&self) -> &Kind {
        &self.controller.kind
    }

    /// A user applies the object.
    pub(crate) fn apply(&self, annotations: &Json, spec: &Json) -> Json {
        let mut object = json!({
            "apiVersion": self.kind().api_version(), "kind": self.kind().kind,
            "metadata": { "name": self.what.name, "annotations": annotations },
        });
        // Applying an empty object after a full one leaves `null`, which the schema rejects.
        if *spec != json!({}) {
            object["spec"] = spec.clone();
        }
        let (status, answer) = self.server.ask(
            "PATCH",
            &self.what.path(),
            "application/apply-patch+yaml",
            &object.to_string(),
        );
        assert!(status < 300, "{answer}");
        answer
    }

    pub(crate) fn object(&self) -> Option<Json> {
        match self.server.ask("GET", &self.what.path(), "application/json", "") {
            (200, object) => Some(object),
            _ => None,
        }
    }

    pub(crate) fn live(&self) -> Option<Json> {
        self.fake.state().resources.get(&self.identity).cloned()
    }

    /// Changes the resource without the controller.
    pub(crate) fn edit(&self, change: impl FnOnce(&mut Json)) {
        let mut state = self.fake.state();
        change(
            state
                .resources
                .get_mut(&self.identity)
                .expect("the resource is there"),
        );
    }

    /// The reason and message of the condition.
    pub(crate) fn condition(&self) -> String {
        let object = self.object().expect("the object is there");
        let condition = &object["status"]["conditions"][0];
        let text = |key: &str| condition[key].as_str().unwrap_or_default().to_owned();
        format!("{}: {}", text("reason"), text("message"))
    }

    pub(crate) fn pass(&self) -> Next {
        let pass = self.controller.pass(&self.what, "2026-01-02T03:04:05Z", 0.5);
        runtime().block_on(pass)
    }

    /// Makes passes until nothing is in progress; returns the last outcome.
    pub(crate) fn settle(&self) -> Next {
        for _ in 0..100 {
            match self.pass() {
                Next::Poll => {}
                next => return next,
            }
        }
        panic!("it never settles: {}", self.condition());
    }

    /// Makes passes until the object is up to date, whatever goes wrong meanwhile.
    pub(crate) fn converge(&self) {
        for _ in 0..200 {
            if matches!(self.pass(), Next::After(_)) && self.condition().starts_with("UpToDate") {
                return;
            }
        }
        panic!("it never converges: {}", self.condition());
    }

    /// The number of requests to the service that could change something.
    pub(crate) fn writes_of(&self, act: impl FnOnce()) -> usize {
        let before = self.fake.writes();
        act();
        self.fake.writes() - before
    }
}

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime starts")
}

pub(crate) const LATER: Next = Next::After(Duration::from_mins(10));

/// Numbers that are the same in every run.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}
