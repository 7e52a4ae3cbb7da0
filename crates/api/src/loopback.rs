//! Requests of the server to itself, as plugins and controllers make them: through authorization and admission like all
//! others.

use std::fmt;

use kindsmith_json::{Arena, Value, parse_str};

use crate::access::MASTERS;
use crate::{Api, Content, Request, User};

/// A client of the server inside the server, under the name of a component.
pub struct Loopback<'a> {
    api: &'a Api,
    user: User,
    agent: &'static str,
}

impl fmt::Debug for Loopback<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Loopback")
            .field("user", &self.user.name)
            .finish_non_exhaustive()
    }
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

impl Api {
    /// A client as the server itself.
    pub(crate) fn loopback(&self) -> Loopback<'_> {
        self.client("system:apiserver", "kube-apiserver")
    }

    /// A client as a component that may do everything; its `agent` owns the fields that it sets.
    #[must_use]
    pub fn client(&self, user: &str, agent: &'static str) -> Loopback<'_> {
        Loopback {
            api: self,
            user: User {
                name: user.to_owned(),
                groups: vec![MASTERS.to_owned(), "system:authenticated".to_owned()],
                ..User::default()
            },
            agent,
        }
    }
}

impl Loopback<'_> {
    /// Reads an object or a list.
    #[must_use]
    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, "", "")
    }

    /// Creates an object.
    #[must_use]
    pub fn post(&self, path: &str, body: &str) -> Answer {
        self.send("POST", path, "application/json", body)
    }

    /// Replaces an object.
    #[must_use]
    pub fn put(&self, path: &str, object: Value<'_>) -> Answer {
        self.send(
            "PUT",
            path,
            "application/json",
            &kindsmith_json::to_string(object),
        )
    }

    /// Changes an object by a merge patch.
    #[must_use]
    pub fn patch(&self, path: &str, body: &str) -> Answer {
        self.send("PATCH", path, "application/merge-patch+json", body)
    }

    /// Deletes an object or a collection; the body has the options.
    #[must_use]
    pub fn delete(&self, path: &str, options: &str) -> Answer {
        self.send("DELETE", path, "application/json", options)
    }

    fn send(&self, method: &str, path: &str, media: &str, body: &str) -> Answer {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let headers = [("user-agent", self.agent), ("content-type", media)];
        let count = if media.is_empty() { 1 } else { 2 };
        let request = Request {
            method,
            path,
            query,
            headers: &headers[..count],
            body: body.as_bytes(),
            user: &self.user,
        };
        let response = self.api.handle(&request, &self.api.info(&request));
        Answer {
            status: response.status,
            body: match response.content {
                Content::Bytes(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                Content::Watch(_) => String::new(),
            },
        }
    }
}
