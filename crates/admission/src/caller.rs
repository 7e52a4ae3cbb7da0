//! Calls of webhooks, made by a caller with network access.

use std::fmt;
use std::time::Duration;

use crate::ClientConfig;

/// One POST to a webhook.
#[derive(Debug)]
pub struct Call<'c> {
    /// The address.
    pub client: &'c ClientConfig,
    /// The review, as JSON.
    pub body: String,
    /// The timeout.
    pub timeout: Duration,
}

/// The response of a webhook.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The content type; empty if there is none.
    pub content_type: String,
    /// The body.
    pub body: Vec<u8>,
}

/// Why there is no response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallError {
    /// The client configuration cannot be used.
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

/// A finished call.
#[derive(Debug)]
pub struct Called {
    /// The response.
    pub result: Result<Answer, CallError>,
    /// How long it took.
    pub took: Duration,
}

/// Makes calls.
pub trait Caller: fmt::Debug + Send + Sync {
    /// Makes all calls at once, and returns when each has finished or timed out: one result per call, in order.
    fn call(&self, calls: &[Call<'_>]) -> Vec<Called>;
}

/// The URL of a call with its timeout, rounded up to a second.
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
