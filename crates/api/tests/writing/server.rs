//! A server with one custom resource over a store with concurrent writers.

use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use kindsmith_api::{Api, Content, Options, Plugin, Request, Response, Still, User};
use kindsmith_json::{Arena, Value, parse_str};
use kindsmith_store::{Bytes, Entry, Error, List, Memory, Page, Store, Ttl, Watch};

const DEFINITION: &str = r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
"metadata":{"name":"gadgets.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
"names":{"plural":"gadgets","singular":"gadget","kind":"Gadget"},"versions":[{"name":"v1","served":true,"storage":true,
"subresources":{"scale":{"specReplicasPath":".spec.replicas","statusReplicasPath":".status.replicas"}},"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}"#;

/// An in-memory store that can simulate one concurrent write.
#[derive(Clone, Default)]
pub(crate) struct Racing {
    store: Arc<Memory>,
    interference: Arc<Mutex<Option<(String, String)>>>,
}

impl Racing {
    /// Before the next update of an object, another writer stores it with `instead` in place of `text`.
    pub(crate) fn interfere(&self, text: &str, instead: &str) {
        let mut interference = self.interference.lock().expect("no test panicked");
        *interference = Some((text.to_owned(), instead.to_owned()));
    }

    /// The bytes under a key.
    pub(crate) fn held(&self, key: &str) -> Bytes {
        let entry = self
            .store
            .get(key.as_bytes(), None)
            .expect("a store in memory answers");
        entry.expect("the object is there").value
    }

    pub(crate) fn put(&self, key: &str, value: &str) {
        let value: Bytes = value.as_bytes().into();
        self.store.create(key.as_bytes(), value).expect("the key is new");
    }
}

impl Store for Racing {
    fn revision(&self) -> Result<u64, Error> {
        self.store.revision()
    }

    fn get(&self, key: &[u8], at: Option<u64>) -> Result<Option<Entry>, Error> {
        self.store.get(key, at)
    }

    fn list(&self, list: &List<'_>) -> Result<Page, Error> {
        self.store.list(list)
    }

    fn update(&self, key: &[u8], value: Bytes, expected: u64) -> Result<u64, Error> {
        let interference = self.interference.lock().expect("no test panicked").take();
        if let Some((text, instead)) = interference {
            let entry = self.store.get(key, None)?.expect("the object is there");
            let other = String::from_utf8_lossy(&entry.value).replace(&text, &instead);
            self.store
                .update(key, other.into_bytes().into(), entry.modified)?;
        }
        self.store.update(key, value, expected)
    }

    fn update_with_ttl(&self, key: &[u8], value: Bytes, expected: u64, ttl: Ttl) -> Result<u64, Error> {
        self.store.update_with_ttl(key, value, expected, ttl)
    }

    fn seen(&self) -> u64 {
        self.store.seen()
    }

    fn delete(&self, key: &[u8], expected: u64) -> Result<u64, Error> {
        self.store.delete(key, expected)
    }

    fn compact(&self, to: u64) -> Result<(), Error> {
        self.store.compact(to)
    }

    fn watch(&self, prefix: &[u8], after: u64) -> Result<Watch, Error> {
        self.store.watch(prefix, after)
    }
}

/// A server with the custom resource `gadgets.example.com`.
pub(crate) struct Server {
    pub(crate) api: Api,
    store: Racing,
}

impl Default for Server {
    fn default() -> Self {
        Server::over(Racing::default())
    }
}

impl Server {
    /// Over a store in which the CRD is created.
    pub(crate) fn over(store: Racing) -> Self {
        let server = Server::reopened(store);
        server.ask("POST", super::DEFINITIONS, "application/json", DEFINITION);
        server
    }

    /// Over an existing store.
    pub(crate) fn reopened(store: Racing) -> Self {
        Server::opened(store, Options::default())
    }

    /// With admission plugins switched.
    pub(crate) fn with_plugins(switches: &[(&str, bool)]) -> Self {
        let mut options = Options::default();
        for (name, on) in switches {
            let plugin = Plugin::named(name).expect("Kubernetes has it");
            options.admission.plugins.switch(plugin, *on);
        }
        Server::opened(Racing::default(), options)
    }

    /// With other options.
    pub(crate) fn configured(configure: impl FnOnce(&mut Options)) -> Self {
        let mut options = Options::default();
        configure(&mut options);
        Server::opened(Racing::default(), options)
    }

    fn opened(store: Racing, options: Options) -> Self {
        let api = Api::open(
            Arc::new(store.clone()),
            Box::new(Still::at(1_790_000_000).repeating()),
            options,
        );
        Server {
            api: api.expect("a store in memory opens"),
            store,
        }
    }

    pub(crate) fn revision(&self) -> u64 {
        self.store.revision().expect("a store in memory answers")
    }

    pub(crate) fn watch_definitions(&self) -> Watch {
        let watch = self.store.watch(Api::definitions(), self.revision());
        watch.expect("a store in memory can be watched")
    }

    pub(crate) fn get(&self, path: &str, status: u16) -> String {
        self.check("GET", path, "", "", status)
    }

    pub(crate) fn post(&self, path: &str, body: &str, status: u16) -> String {
        self.check("POST", path, "application/json", body, status)
    }

    pub(crate) fn put(&self, path: &str, body: &str, status: u16) -> String {
        self.check("PUT", path, "application/json", body, status)
    }

    pub(crate) fn patch(&self, path: &str, body: &str, status: u16) -> String {
        self.check("PATCH", path, "application/merge-patch+json", body, status)
    }

    pub(crate) fn apply(&self, path: &str, manager: &str, body: &str, status: u16) -> String {
        let target = format!("{path}?fieldManager={manager}");
        self.check("PATCH", &target, "application/apply-patch+yaml", body, status)
    }

    pub(crate) fn delete(&self, path: &str, status: u16) -> String {
        self.check("DELETE", path, "", "", status)
    }

    fn check(&self, method: &str, path: &str, media: &str, body: &str, expected: u16) -> String {
        let (status, answer) = self.ask(method, path, media, body);
        assert_eq!(status, expected, "{method} {path}: {answer}");
        answer
    }

    pub(crate) fn ask(&self, method: &str, target: &str, media: &str, body: &str) -> (u16, String) {
        self.ask_bytes(method, target, media, body.as_bytes())
    }

    pub(crate) fn ask_bytes(&self, method: &str, target: &str, media: &str, body: &[u8]) -> (u16, String) {
        text_of(self.respond(&admin(), method, target, (media, body)))
    }

    /// How often the answer to a patch warns.
    pub(crate) fn warned(&self, target: &str, media: &str, body: &str) -> usize {
        let response = self.respond(&admin(), "PATCH", target, (media, body.as_bytes()));
        assert_eq!(response.status, 200, "{target}: {body}");
        let headers = response.headers.iter();
        headers
            .filter(|(name, _)| name.eq_ignore_ascii_case("warning"))
            .count()
    }

    /// The bytes of an answer in a form that is not text.
    pub(crate) fn get_bytes(&self, target: &str, accept: &str) -> (u16, Vec<u8>) {
        let response = self.respond(&admin(), "GET", target, (accept, b""));
        (response.status, response.content.into_bytes())
    }

    /// All events that are there for a watch.
    pub(crate) fn watched(&self, target: &str) -> String {
        let response = self.respond(&admin(), "GET", target, ("", b""));
        let Content::Watch(mut stream) = response.content else {
            panic!("{target} is a watch");
        };
        let (mut events, mut context) = (String::new(), Context::from_waker(Waker::noop()));
        loop {
            match stream.poll_next(&mut context) {
                Poll::Ready(Some(bytes)) => events.push_str(&String::from_utf8_lossy(&bytes)),
                Poll::Pending if stream.is_behind() => {}
                Poll::Ready(None) | Poll::Pending => return events,
            }
        }
    }

    pub(crate) fn ask_as(
        &self,
        user: &User,
        method: &str,
        target: &str,
        (media, body): (&str, &str),
    ) -> (u16, String) {
        text_of(self.respond(user, method, target, (media, body.as_bytes())))
    }

    fn respond(&self, user: &User, method: &str, target: &str, (media, body): (&str, &[u8])) -> Response {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        // What a read names is the form of its answer.
        let accept = match (method, media) {
            ("GET", media) if !media.is_empty() => media,
            _ => "*/*",
        };
        let headers = [
            ("content-type", media),
            ("user-agent", "test/1"),
            ("accept", accept),
        ];
        let request = Request {
            method,
            path,
            query,
            headers: &headers,
            body,
            user,
        };
        self.api.handle(&request, &self.api.info(&request))
    }
}

fn admin() -> User {
    User {
        name: "admin".to_owned(),
        groups: vec!["system:masters".to_owned(), "system:authenticated".to_owned()],
        ..User::default()
    }
}

fn text_of(response: Response) -> (u16, String) {
    (
        response.status,
        String::from_utf8(response.content.into_bytes()).expect("answers are text"),
    )
}

/// A text in an answer.
pub(crate) fn text(answer: &str, path: &[&str]) -> String {
    let arena = Arena::new();
    let value = parse_str(&arena, answer).expect("answers are JSON");
    let text = value.lookup(path).and_then(Value::as_str);
    text.unwrap_or_else(|| panic!("{path:?} in {answer}")).to_owned()
}
