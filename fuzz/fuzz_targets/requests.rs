//! Any sequence of requests to a server with a custom resource: nothing panics, every refusal is a `Status` with its
//! code, and accepted objects can be read from this server and from another one over the same store.
//!
//! Requests are written as in HTTP; a line `%%` ends one. The header `x-user` sends it as a user other than the
//! administrator.

#![no_main]

#[macro_use]
#[path = "shared/score.rs"]
mod score;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::task::{Context, Waker};

use kindsmith_api::{Api, Content, Environment, Options, Request, Response, Time, User};
use kindsmith_builtin::protobuf;
use kindsmith_builtin::types::{meta_type, own_codec};
use kindsmith_json::{Arena, Value, parse, yaml};
use kindsmith_store::{Memory, Store};

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const DEFINITION: &[u8] = include_bytes!("../gadgets.json");
/// More requests only make an input slow.
const MOST: usize = 8;

/// A clock that advances by a second on every call, and fixed random numbers.
#[derive(Default)]
struct Counting(AtomicU64);

impl Environment for Counting {
    fn now(&self) -> Time {
        Time {
            seconds: 1_790_000_000 + self.0.fetch_add(1, Ordering::Relaxed) as i64,
            nanoseconds: 0,
        }
    }

    fn random(&self, bytes: &mut [u8]) {
        let next = self.0.fetch_add(1, Ordering::Relaxed).to_le_bytes();
        bytes
            .iter_mut()
            .zip(next.iter().cycle())
            .for_each(|(byte, next)| *byte = *next);
    }
}

/// Inputs that only read share a server with some objects.
static LIBRARY: LazyLock<Api> = LazyLock::new(|| {
    let api = with_gadgets(&Arc::new(Memory::new()));
    for seed in [
        &include_bytes!("../seeds/requests/library")[..],
        include_bytes!("../seeds/requests/deployment"),
    ] {
        split(seed).for_each(|part| drop(exchange(&api, part)));
    }
    api
});

/// A store with the objects that every server has, and the custom resource.
static START: LazyLock<Memory> = LazyLock::new(|| {
    let store = Arc::new(Memory::new());
    drop(with_gadgets(&store));
    store.fork()
});

/// After so many writes, servers start anew: the past takes memory.
const PAST: u64 = 5_000;
/// Where definitions are; servers know those that they wrote themselves.
const DEFINED: &[u8] = b"/registry/apiextensions.k8s.io/customresourcedefinitions/";

/// Two servers over one store, which serve one input after another: opening them takes longer than many requests.
struct Pair {
    store: Arc<Memory>,
    one: Api,
    other: Api,
    /// The revision before the next input.
    start: u64,
}

impl Pair {
    fn new() -> Self {
        let store = Arc::new(START.fork());
        Pair {
            one: open(&store),
            other: open(&store),
            start: store.seen(),
            store,
        }
    }

    /// Takes back what an input wrote; `false` if these servers cannot be used again.
    fn take_back(&mut self) -> bool {
        let Ok(mut changes) = self.store.watch(b"/", self.start) else {
            return false;
        };
        let mut keys = BTreeSet::new();
        loop {
            match changes.try_next() {
                Ok(Some(event)) => keys.insert(event.key.to_vec()),
                Ok(None) => break,
                Err(_) => return false,
            };
        }
        drop(changes);
        if keys.iter().any(|key| key.starts_with(DEFINED)) || self.store.seen() > PAST {
            return false;
        }
        for key in keys {
            let now = self.store.get(&key, None).expect("it can be read");
            let before = START.get(&key, None).expect("it can be read");
            let expected = now.as_ref().map_or(0, |entry| entry.modified);
            let done = match (before, now) {
                (Some(before), _) => self.store.update(&key, before.value, expected),
                (None, Some(_)) => self.store.delete(&key, expected),
                (None, None) => continue,
            };
            done.expect("nobody else writes");
        }
        self.start = self.store.seen();
        true
    }
}

thread_local! {
    static PAIR: RefCell<Option<Pair>> = const { RefCell::new(None) };
}

fuzz_target!(|data: &[u8]| {
    if split(data).all(|part| part.starts_with(b"GET ")) {
        split(data)
            .take(MOST)
            .for_each(|part| drop(exchange(&LIBRARY, part)));
        return;
    }
    let mut pair = score::aside(|| PAIR.take().unwrap_or_else(Pair::new));
    let mut paths = Vec::new();
    for part in split(data).take(MOST) {
        paths.extend(exchange(&pair.one, part));
    }
    score::aside(|| {
        check_other(&pair, data, paths);
        if pair.take_back() {
            PAIR.set(Some(pair));
        }
    });
});

/// What was written is read from another server, too.
fn check_other(pair: &Pair, data: &[u8], paths: Vec<String>) {
    // A server that starts now also serves what was defined meanwhile.
    let has_defined = split(data).take(MOST).any(|part| {
        part.windows(DEFINITIONS.len())
            .any(|window| window == DEFINITIONS.as_bytes())
    });
    let next = has_defined.then(|| open(&pair.store));
    let next = next.as_ref().unwrap_or(&pair.other);
    for path in paths {
        let (before, after) = (get(&pair.one, &path), get(next, &path));
        assert_eq!(shown(&before), shown(&after), "{path} at another server");
    }
}

/// A server with the custom resource `gadgets`.
fn with_gadgets(store: &Arc<Memory>) -> Api {
    let api = open(store);
    let created = ask(&api, "POST", DEFINITIONS, &[], DEFINITION);
    assert_eq!(created.status, 201, "{}", shown(&created));
    api
}

fn open(store: &Arc<Memory>) -> Api {
    let api = Api::open(
        Arc::clone(store) as _,
        Box::new(Counting::default()),
        Options::default(),
    );
    api.expect("a store in memory opens")
}

/// The requests of an input.
fn split(data: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(data);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = text.windows(4).position(|window| window == b"\n%%\n");
        rest = end.map(|end| &text[end + 4..]);
        Some(end.map_or(text, |end| &text[..end]))
    })
}

/// Sends a request; returns the path of the object that was written, if any.
fn exchange(api: &Api, text: &[u8]) -> Option<String> {
    let end = text.windows(2).position(|window| window == b"\n\n");
    let (head, body) = end.map_or((text, &[][..]), |end| (&text[..end], &text[end + 2..]));
    let mut lines = std::str::from_utf8(head).ok()?.lines();
    let (method, target) = lines.next()?.split_once(' ')?;
    let headers: Vec<(String, &str)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value))
        .collect();
    let headers: Vec<(&str, &str)> = headers
        .iter()
        .map(|(name, value)| (name.as_str(), *value))
        .collect();
    // What documents take depends on the kinds that are served.
    let response = if target.contains("openapi") {
        score::aside(|| ask(api, method, target, &headers, body))
    } else {
        ask(api, method, target, &headers, body)
    };
    assert!((200..600).contains(&response.status), "{}", shown(&response));
    match response.content {
        Content::Watch(mut events) => {
            let mut context = Context::from_waker(Waker::noop());
            while let std::task::Poll::Ready(Some(_)) = events.poll_next(&mut context) {}
            events.bookmark();
            None
        }
        _ if response.status >= 400 => {
            score::aside(|| check_refusal(target, &response));
            None
        }
        _ => score::aside(|| check_written(api, method, target, &response)),
    }
}

fn ask(api: &Api, method: &str, target: &str, headers: &[(&str, &str)], body: &[u8]) -> Response {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let user = match headers.iter().find(|(name, _)| *name == "x-user") {
        Some((_, name)) => User {
            name: (*name).to_owned(),
            groups: vec!["system:authenticated".to_owned()],
            ..User::default()
        },
        None => User {
            name: "admin".to_owned(),
            groups: vec!["system:masters".to_owned(), "system:authenticated".to_owned()],
            ..User::default()
        },
    };
    let request = Request {
        method,
        path,
        query,
        headers,
        body,
        user: &user,
    };
    let mut response = api.handle(&request, &api.info(&request));
    if let Content::Pieces(pieces) = response.content {
        response.content = Content::Bytes(pieces.join());
    }
    response
}

fn get(api: &Api, path: &str) -> Response {
    ask(api, "GET", path, &[], b"")
}

fn bytes(response: &Response) -> &[u8] {
    match &response.content {
        Content::Bytes(bytes) => bytes,
        Content::Pieces(_) | Content::Watch(_) => &[],
    }
}

fn shown(response: &Response) -> String {
    format!("{} {}", response.status, String::from_utf8_lossy(bytes(response)))
}

fn media(response: &Response) -> &str {
    let header = response.headers.iter().find(|(name, _)| *name == "content-type");
    header.map_or("", |(_, value)| value)
}

/// A refusal is a `Status` with the same code, with two exceptions in Kubernetes: Go's router answers unknown paths
/// with plain text, and kube-openapi with an empty body (`HandleGroupVersion` in its pkg/handler3/handler.go).
fn check_refusal(target: &str, response: &Response) {
    let arena = Arena::new();
    let body = bytes(response);
    let status = match media(response) {
        "application/json" => parse(&arena, body).expect("a refusal is JSON"),
        "application/yaml" => yaml::parse(&arena, body).expect("a refusal is YAML"),
        "application/vnd.kubernetes.protobuf" => {
            let ty = meta_type("Status").expect("it is among the server's own types");
            assert!(protobuf::open(body).is_ok());
            let status = own_codec().decode(&arena, ty, body);
            status.expect("a refusal is protobuf")
        }
        "text/plain; charset=utf-8" => return assert_eq!(body, b"404 page not found\n"),
        // The slash in front may be missing: what is called here does not need it.
        "" if target.trim_start_matches('/').starts_with("openapi/") => return assert_eq!(body, b""),
        other => panic!("a refusal as {other:?}: {}", shown(response)),
    };
    assert_eq!(
        status.lookup(&["code"]).and_then(Value::as_i64),
        Some(i64::from(response.status)),
        "{}",
        shown(response)
    );
    assert_eq!(status.get("status").and_then(Value::as_str), Some("Failure"));
}

/// A written object can be read at its path, and is what was returned unless it has changed since.
fn check_written(api: &Api, method: &str, target: &str, response: &Response) -> Option<String> {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    if !matches!(method, "POST" | "PUT" | "PATCH") || query.contains("dryRun") {
        return None;
    }
    let arena = Arena::new();
    let answered = parse(&arena, bytes(response)).ok()?;
    let text = |value: Value<'_>, key| {
        let text = value.lookup(&["metadata", key]).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    // Objects that are only answered, such as reviews, have no version.
    let (name, version) = (text(answered, "name"), text(answered, "resourceVersion"));
    if version.is_empty() {
        return None;
    }
    let path = match method {
        "POST" => format!("{path}/{name}"),
        _ => path.to_owned(),
    };
    let read = get(api, &path);
    // Removing the last finalizer of an object that is being deleted removes the object.
    if read.status == 404 && !text(answered, "deletionTimestamp").is_empty() {
        return None;
    }
    assert_eq!(read.status, 200, "{path}: {}", shown(&read));
    let stored = parse(&arena, bytes(&read)).expect("an object is JSON");
    assert_eq!(text(stored, "uid"), text(answered, "uid"), "{path}");
    if text(stored, "resourceVersion") == version && answered.get("kind") == stored.get("kind") {
        assert_eq!(answered, stored, "{path}");
    }
    Some(path)
}
