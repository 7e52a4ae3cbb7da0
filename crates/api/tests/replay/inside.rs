//! Requests handled by a function call, with the test's own clock and random numbers.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};

use kindsmith_api::{Api, Content, Environment, Options, Request, Time, User};
use kindsmith_conformance::{Answer, Sent, Transport, warning_text};
use kindsmith_object::Release;
use kindsmith_store::Memory;

/// An API over a store in memory.
pub(crate) struct Inside {
    api: Api,
    clock: Arc<Clock>,
}

/// A clock that moves only when told to, and random bytes that are the same in every run.
struct Clock {
    seconds: AtomicI64,
    dice: AtomicU64,
}

struct Shared(Arc<Clock>);

impl Environment for Shared {
    fn now(&self) -> Time {
        Time {
            seconds: self.0.seconds.load(Ordering::Relaxed),
            nanoseconds: 0,
        }
    }

    fn random(&self, bytes: &mut [u8]) {
        for byte in bytes {
            let state = self.0.dice.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
            *byte = (state.wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 56) as u8;
        }
    }
}

impl Inside {
    pub(crate) fn new() -> Self {
        Self::with(Options::default())
    }

    /// The API of a release.
    pub(crate) fn of(release: Release) -> Self {
        let mut options = Options::default();
        options.serving.release = release;
        options.serving.gates.release = release;
        Self::with(options)
    }

    fn with(options: Options) -> Self {
        let clock = Arc::new(Clock {
            seconds: AtomicI64::new(1_790_000_000),
            dice: AtomicU64::new(1),
        });
        let api = Api::open(
            Arc::new(Memory::new()),
            Box::new(Shared(Arc::clone(&clock))),
            options,
        );
        Inside {
            api: api.expect("a store in memory opens"),
            clock,
        }
    }

    /// How often tags and hand-written rules of built-in kinds differed, by kind of write.
    #[allow(dead_code, reason = "not every test compares the two")]
    pub(crate) fn differences(&self) -> std::collections::BTreeMap<String, u64> {
        self.api.declarative().tally.counts().mismatches
    }
}

impl Transport for Inside {
    fn send(&mut self, sent: &Sent) -> Answer {
        let (path, query) = sent.target.split_once('?').unwrap_or((&sent.target, ""));
        let user = user(sent);
        let headers: Vec<(String, &str)> = sent
            .headers
            .iter()
            .map(|(name, value)| (name.to_ascii_lowercase(), value.as_str()))
            .collect();
        let headers: Vec<(&str, &str)> = headers
            .iter()
            .map(|(name, value)| (name.as_str(), *value))
            .collect();
        let request = Request {
            method: &sent.method,
            path,
            query,
            headers: &headers,
            body: &sent.body,
            user: &user,
        };
        let response = self.api.handle(&request, &self.api.info(&request));
        let warnings = response
            .headers
            .iter()
            .filter(|(name, _)| name.eq_ignore_ascii_case("warning"))
            .filter_map(|(_, value)| warning_text(value))
            .collect();
        let body = match response.content {
            // HTTP servers send no body for HEAD.
            _ if sent.method == "HEAD" => Vec::new(),
            Content::Watch(mut stream) => {
                let mut bytes = Vec::new();
                let mut context = Context::from_waker(Waker::noop());
                while let Poll::Ready(Some(more)) = stream.poll_next(&mut context) {
                    bytes.extend(more);
                }
                bytes
            }
            content => content.into_bytes(),
        };
        Answer {
            status: response.status,
            body,
            warnings,
        }
    }

    fn pause(&mut self) {
        self.clock.seconds.fetch_add(1, Ordering::Relaxed);
    }
}

/// The user: the administrator, or anonymous.
fn user(sent: &Sent) -> User {
    let (name, uid, groups): (&str, &str, &[&str]) = match sent.header("Authorization") {
        None => ("admin", "admin", &["system:masters", "system:authenticated"]),
        Some(_) => ("system:anonymous", "", &["system:unauthenticated"]),
    };
    User {
        name: name.to_owned(),
        uid: uid.to_owned(),
        groups: groups.iter().map(|&group| group.to_owned()).collect(),
        extra: Vec::new(),
    }
}
