//! Calls of webhooks, made by whoever has a network.

use std::fmt;
use std::time::Duration;

use crate::ClientConfig;

/// One POST to a webhook.
#[derive(Debug)]
pub struct Call<'c> {
    /// Where it goes.
    pub client: &'c ClientConfig,
    /// The review, as JSON.
    pub body: String,
    /// How long it may take.
    pub timeout: Duration,
}

/// What a webhook answered.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The content type; empty if there is none.
    pub content_type: String,
    /// The body.
    pub body: Vec<u8>,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallError {
    /// The configuration cannot be used.
    Client(String),
    /// The call failed.
    Transport(String),
}

impl fmt::Display for CallError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallError::Client(text) => write!(out, "could not get REST client: {text}"),
            CallError::Transport(text) => write!(out, "failed to call webhook: {text}"),
        }
    }
}

/// A call that ended.
#[derive(Debug)]
pub struct Called {
    /// The answer.
    pub result: Result<Answer, CallError>,
    /// How long it took.
    pub took: Duration,
}

/// Makes calls.
pub trait Caller: fmt::Debug + Send + Sync {
    /// Makes all calls at once, and returns when each has ended or run out of time: one result for each, in their order.
    fn call(&self, calls: &[Call<'_>]) -> Vec<Called>;

    /// Does some work that makes calls and that nobody waits for. It may be dropped where there is no time for it.
    fn later(&self, work: Box<dyn FnOnce() + Send>) {
        drop(work);
    }
}

/// The query of a call: its timeout, rounded up to a second.
pub(crate) fn url(client: &ClientConfig, timeout: Duration) -> String {
    let seconds = timeout.as_secs() + u64::from(timeout.subsec_nanos() > 0);
    let base = client.url();
    let base = base.strip_suffix('?').unwrap_or(&base);
    format!("{base}?timeout={}", go_duration(seconds))
}

/// Whole seconds as Go prints them: `10s`, `1m30s`.
fn go_duration(seconds: u64) -> String {
    match (seconds / 60, seconds % 60) {
        (0, seconds) => format!("{seconds}s"),
        (minutes, seconds) => format!("{minutes}m{seconds}s"),
    }
}

impl Call<'_> {
    /// The URL with its query.
    #[must_use]
    pub fn url(&self) -> String {
        url(self.client, self.timeout)
    }
}
