//! Requests of the server to itself, as plugins and controllers make them: through authorization and admission like all
//! others.

use std::fmt;

use kindsmith_json::Value;
use kindsmith_object::well_known::{group, user};

use crate::context::{Above, Answer};
use crate::{Request, User};

/// A client of the server inside the server, under the name of a component.
pub struct Loopback<'a> {
    server: &'a dyn Above,
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

impl<'a> Loopback<'a> {
    /// The server itself.
    pub(crate) fn own(server: &'a dyn Above) -> Self {
        Loopback::new(server, user::APISERVER, "kube-apiserver")
    }

    /// A component that may do everything; its `agent` owns the fields that it sets.
    pub(crate) fn new(server: &'a dyn Above, user: &str, agent: &'static str) -> Self {
        Loopback {
            server,
            user: User {
                name: user.to_owned(),
                groups: vec![group::MASTERS.to_owned(), group::AUTHENTICATED.to_owned()],
                ..User::default()
            },
            agent,
        }
    }

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
        self.server.request(&request)
    }
}
