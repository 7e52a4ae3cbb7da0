//! The request log: one line of JSON per request on standard error.

use std::time::Duration;

use kindsmith_api::Environment;
use kindsmith_json::{Arena, Value};

use crate::System;
use crate::line::{object, stamp};
use crate::lines;

/// Which requests are logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Log {
    /// Nothing.
    Nothing,
    /// Requests that failed with a server error.
    #[default]
    Failures,
    /// All requests.
    Requests,
}

/// A request that was answered.
pub(crate) struct Answered<'r> {
    pub(crate) id: &'r str,
    pub(crate) method: &'r str,
    pub(crate) path: &'r str,
    pub(crate) user: &'r str,
    pub(crate) agent: &'r str,
    pub(crate) status: u16,
    pub(crate) took: Duration,
    /// Why it failed, if that is the server's fault.
    pub(crate) cause: &'r str,
}

impl Log {
    /// Logs a request.
    pub(crate) fn answered(self, answered: &Answered<'_>) {
        if self.tells(answered.status) {
            lines::to_stderr(&line(answered, &stamp(System.now())));
        }
    }

    /// Logs something that is not about a request.
    pub fn event(self, level: &str, message: &str, cause: &str) {
        if self != Log::Nothing {
            let (arena, now) = (Arena::new(), stamp(System.now()));
            let entries = [
                ("time", Value::Str(&now)),
                ("level", Value::Str(level)),
                ("message", Value::Str(message)),
                ("cause", Value::Str(cause)),
            ];
            lines::to_stderr(&(kindsmith_json::to_string(object(&arena, &entries)) + "\n"));
        }
    }

    fn tells(self, status: u16) -> bool {
        match self {
            Log::Nothing => false,
            Log::Failures => status >= 500,
            Log::Requests => true,
        }
    }
}

fn line(answered: &Answered<'_>, now: &str) -> String {
    let arena = Arena::new();
    let level = if answered.status >= 500 { "error" } else { "info" };
    let micros = i64::try_from(answered.took.as_micros()).unwrap_or(i64::MAX);
    let entries = [
        ("time", Value::Str(now)),
        ("level", Value::Str(level)),
        ("message", Value::Str("request")),
        ("method", Value::Str(answered.method)),
        ("path", Value::Str(answered.path)),
        ("status", Value::Int(answered.status.into())),
        ("microseconds", Value::Int(micros)),
        ("user", Value::Str(answered.user)),
        ("agent", Value::Str(answered.agent)),
        ("auditID", Value::Str(answered.id)),
        ("cause", Value::Str(answered.cause)),
    ];
    kindsmith_json::to_string(object(&arena, &entries)) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_logged_unless_logging_is_off() {
        for (log, status, expected) in [
            (Log::Nothing, 500, false),
            (Log::Failures, 404, false),
            (Log::Failures, 503, true),
            (Log::Requests, 200, true),
        ] {
            assert_eq!(log.tells(status), expected, "{log:?} {status}");
        }
    }

    #[test]
    fn a_request_is_one_line() {
        let answered = Answered {
            id: "1-2",
            method: "GET",
            path: "/api/\n",
            user: "ann",
            agent: "",
            status: 200,
            took: Duration::from_micros(7),
            cause: "",
        };
        assert_eq!(
            line(&answered, "now"),
            "{\"time\":\"now\",\"level\":\"info\",\"message\":\"request\",\"method\":\"GET\",\"path\":\"/api/\\n\",\
             \"status\":200,\"microseconds\":7,\"user\":\"ann\",\"auditID\":\"1-2\"}\n"
        );
    }
}
