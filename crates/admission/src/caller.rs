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

    /// Runs work that makes calls in the background. It may be dropped under load.
    fn later(&self, work: Box<dyn FnOnce() + Send>) {
        drop(work);
    }
}

/// The URL of a call with its timeout, rounded up to a second.
pub(crate) fn url(client: &ClientConfig, timeout: Duration) -> String {
    let seconds = timeout.as_secs() + u64::from(timeout.subsec_nanos() > 0);
    let base = client.url();
    let base = cleaned(base.strip_suffix('?').unwrap_or(&base));
    format!("{base}?timeout={}", go_duration(seconds))
}

/// A URL whose path has no empty, `.` or `..` parts and no slash at the end: client-go joins it, and servers that are sent
/// `//validate` redirect.
fn cleaned(url: &str) -> String {
    let start = url.find("://").map_or(0, |scheme| scheme + 3);
    let Some(slash) = url[start..].find('/') else {
        return format!("{url}/");
    };
    let (host, path) = url.split_at(start + slash);
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("{host}/{}", parts.join("/"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_as_client_go_joins_them() {
        for (url, expected) in [
            ("https://h:1//failing", "https://h:1/failing"),
            ("https://h/a/./b/../c/", "https://h/a/c"),
            ("https://h/", "https://h/"),
            ("https://h", "https://h/"),
        ] {
            assert_eq!(cleaned(url), expected, "{url}");
        }
    }
}
