//! A server with one custom resource, called directly.

use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use kindsmith_api::{Api, Content, Options, Request, Response, Still, User, WatchStream};
use kindsmith_json::{Arena, Value, parse_str};
use kindsmith_store::{Memory, Store};

const DEFINITION: &str = r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
"metadata":{"name":"gadgets.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
"names":{"plural":"gadgets","singular":"gadget","kind":"Gadget"},"versions":[{"name":"v1","served":true,"storage":true,
"schema":{"openAPIV3Schema":{"type":"object"}}}]}}"#;

/// A server with the custom resource `gadgets.example.com`.
pub(crate) struct Server {
    api: Api,
    pub(crate) store: Arc<Memory>,
}

impl Server {
    /// Another server with the same objects.
    pub(crate) fn restarted(&self) -> Self {
        Server::over(Arc::new(self.store.fork()))
    }

    fn over(store: Arc<Memory>) -> Self {
        let api = Api::open(
            Arc::clone(&store) as _,
            Box::new(Still::at(1_790_000_000)),
            Options::default(),
        );
        Server {
            api: api.expect("a store in memory opens"),
            store,
        }
    }

    /// With these gadgets in the default namespace.
    pub(crate) fn with_gadgets(names: &[&str]) -> Self {
        let server = Server::over(Arc::new(Memory::new()));
        let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        server.ask("POST", path, &[], DEFINITION);
        names.iter().for_each(|name| server.create(name, "{}"));
        server
    }

    fn ask(&self, method: &str, target: &str, headers: &[(&str, &str)], body: &str) -> Response {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let user = User {
            name: "admin".to_owned(),
            groups: vec!["system:masters".to_owned(), "system:authenticated".to_owned()],
            ..User::default()
        };
        let request = Request {
            method,
            path,
            query,
            headers,
            body: body.as_bytes(),
            user: &user,
        };
        self.api.handle(&request, &self.api.info(&request))
    }

    pub(crate) fn write(&self, method: &str, path: &str, media: &str, body: &str) {
        let response = self.ask(method, path, &[("content-type", media)], body);
        assert!(response.status < 300, "{method} {path}: {response:?}");
    }

    pub(crate) fn create(&self, name: &str, labels: &str) {
        let body = format!(
            r#"{{"apiVersion":"example.com/v1","kind":"Gadget","metadata":{{"name":"{name}","labels":{labels}}}}}"#
        );
        self.write("POST", super::GADGETS, "application/json", &body);
    }

    /// Replaces the labels of a gadget.
    pub(crate) fn label(&self, name: &str, labels: &str) {
        let path = format!("{}/{name}", super::GADGETS);
        let body = format!(r#"[{{"op":"replace","path":"/metadata/labels","value":{labels}}}]"#);
        self.write("PATCH", &path, "application/json-patch+json", &body);
    }

    pub(crate) fn delete(&self, name: &str) {
        let path = format!("{}/{name}", super::GADGETS);
        self.write("DELETE", &path, "application/json", "");
    }

    pub(crate) fn revision(&self) -> String {
        let revision = self.store.revision().expect("a store in memory works");
        revision.to_string()
    }

    /// Drops all revisions except the newest.
    pub(crate) fn compact(&self) {
        let revision = self.store.revision().expect("a store in memory works");
        self.store.compact(revision).expect("a store in memory works");
    }

    pub(crate) fn get(&self, target: &str) -> Answer {
        let response = self.ask("GET", target, &[], "");
        Answer {
            status: response.status,
            body: String::from_utf8(response.content.into_bytes()).expect("JSON is text"),
        }
    }

    /// Headers and body of an answer.
    pub(crate) fn bytes(&self, target: &str, headers: &[(&str, &str)]) -> (Vec<(String, String)>, Vec<u8>) {
        let response = self.ask("GET", target, headers, "");
        let headers = response.headers.iter();
        let headers = headers.map(|(name, value)| ((*name).to_owned(), value.clone().into_owned()));
        let headers = headers.collect();
        (headers, response.content.into_bytes())
    }

    pub(crate) fn watch(&self, target: &str, accept: &str) -> Watching {
        match self.ask("GET", target, &[("accept", accept)], "").content {
            Content::Watch(stream) => Watching(*stream),
            refusal => panic!("{target}: {}", String::from_utf8_lossy(&refusal.into_bytes())),
        }
    }
}

/// An answer in JSON.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: String,
}

impl Answer {
    /// The text under some keys; empty if there is none.
    pub(crate) fn text(&self, keys: &[&str]) -> String {
        text(&self.body, keys)
    }

    /// The keys of the object under some keys.
    pub(crate) fn keys(&self, keys: &[&str]) -> Vec<String> {
        let arena = Arena::new();
        let value = parse_str(&arena, &self.body).expect("an answer is JSON");
        let found = value.lookup(keys).and_then(Value::as_object).unwrap_or_default();
        found.keys().map(str::to_owned).collect()
    }

    /// The schemas that a document refers to.
    pub(crate) fn references(&self) -> Vec<String> {
        let parts = self.body.split("\"#/components/schemas/").skip(1);
        parts
            .filter_map(|part| part.split('"').next())
            .map(str::to_owned)
            .collect()
    }

    /// The names of a list's items.
    pub(crate) fn names(&self) -> Vec<String> {
        let arena = Arena::new();
        let list = parse_str(&arena, &self.body).expect("an answer is JSON");
        let items = list.get("items").and_then(Value::as_array).unwrap_or_default();
        let names = items
            .iter()
            .filter_map(|item| item.lookup(&["metadata", "name"])?.as_str());
        names.map(str::to_owned).collect()
    }
}

fn text(body: &str, keys: &[&str]) -> String {
    let arena = Arena::new();
    let value = parse_str(&arena, body).expect("an answer is JSON");
    let found = value.lookup(keys).and_then(Value::as_str);
    found.unwrap_or_default().to_owned()
}

/// A running watch.
pub(crate) struct Watching(WatchStream);

impl Watching {
    /// All bytes available now.
    pub(crate) fn bytes(&mut self) -> Vec<u8> {
        let mut context = Context::from_waker(Waker::noop());
        let mut all = Vec::new();
        while let Poll::Ready(Some(bytes)) = self.0.poll_next(&mut context) {
            all.extend(bytes);
        }
        all
    }

    /// All events available now.
    pub(crate) fn events(&mut self) -> Events {
        Events::of(self.bytes())
    }

    pub(crate) fn bookmark(&mut self) -> Events {
        Events::of(self.0.bookmark().expect("a bookmark can be had"))
    }

    pub(crate) fn is_over(&mut self) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        self.0.poll_next(&mut context) == Poll::Ready(None)
    }
}

/// Events in JSON.
pub(crate) struct Events(Vec<String>);

impl Events {
    fn of(bytes: Vec<u8>) -> Self {
        let text = String::from_utf8(bytes).expect("events are text");
        Events(text.lines().map(str::to_owned).collect())
    }

    /// The type of each event and the name of its object.
    pub(crate) fn types(&self) -> Vec<String> {
        let name = ["object", "metadata", "name"];
        let types = self.0.iter();
        types
            .map(|event| format!("{} {}", text(event, &["type"]), text(event, &name)))
            .collect()
    }

    /// A text of one event.
    pub(crate) fn text(&self, index: usize, keys: &[&str]) -> String {
        text(&self.0[index], keys)
    }
}
