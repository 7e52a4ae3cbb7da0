//! What a call may ask of the floors above it, which it does not know.

use kindsmith_json::{Arena, Value, parse_str};
use kindsmith_store::Bytes;

use crate::{Request, Served};

/// The floors above a call.
pub(crate) trait Above: Sync {
    /// Answers a request of the server to itself.
    fn request(&self, request: &Request<'_>) -> Answer;

    /// Follows what was written to a resource, and what it is if it is new and known.
    fn follow(&self, served: &Served, namespace: &str, name: &str, created: Option<Created<'_>>);
}

/// An object that was created just now. Whoever follows it need not read it again.
#[derive(Clone, Copy)]
pub(crate) struct Created<'w> {
    pub(crate) value: Value<'w>,
    /// The same as it is stored.
    pub(crate) bytes: &'w Bytes,
    pub(crate) revision: u64,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: String,
}

impl Answer {
    /// Whether the request was done.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.status < 400
    }

    /// The message of a `Status`; the body of anything else.
    #[must_use]
    pub fn message(&self) -> String {
        let arena = Arena::new();
        let message = parse_str(&arena, &self.body).ok();
        let message = message.and_then(|body| body.get("message")?.as_str());
        message.unwrap_or(&self.body).to_owned()
    }
}
