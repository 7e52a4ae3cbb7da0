//! Fake services, for tests and for trying things out: over real HTTP with [`serve`], or called directly.
//!
//! They behave like the real ones where it matters to a controller: operations that take time, one at a time; values
//! added and omitted; stale writes rejected; quotas; and scripted [`Fault`]s.

mod cloud_sql;
mod described;
mod one_object;
mod pubsub;
mod script;
mod server;

pub use one_object::OneObject;
pub use script::{Fault, Script, ScriptError};
pub use server::serve;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use kindsmith_gostd::url::unescape_path;
use serde_json::json;

use crate::Json;
use crate::http::{Http, HttpError, Request, Response};

/// All fakes, with shared state. Clones share it too.
#[derive(Debug, Clone, Default)]
pub struct Fake(Arc<Mutex<State>>);

/// The state of the fakes.
#[derive(Debug, Default)]
pub struct State {
    /// Resources by path, such as `projects/p/instances/i`.
    pub resources: BTreeMap<String, Json>,
    /// Operations by path.
    pub operations: BTreeMap<String, Json>,
    /// How many requests an operation takes.
    pub latency: u32,
    /// The faults to come.
    pub script: Script,
    /// What is refused when there is too much of it.
    pub quota: Quota,
    /// Requests so far, including rejected ones.
    pub calls: Vec<(String, String)>,
    /// How often each path was created: a resource must not be created twice.
    pub creations: BTreeMap<String, u32>,
    /// Kinds with a description, beside the known ones.
    pub kinds: Vec<Arc<crate::description::Described>>,
    counter: u64,
}

/// Quotas of a service; `None` for no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Quota {
    /// How many resources a project may have.
    pub resources: Option<usize>,
    /// Every request with a number divisible by this one is answered with 429.
    pub requests: Option<usize>,
}

/// A response: status and body.
type Reply = (u16, Json);

impl Fake {
    /// The state, for tests to inspect and to change behind the controller's back.
    ///
    /// # Panics
    /// If a thread panicked while it held the lock.
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no holder of the memory panics")
    }

    /// Answers one request; `None` if the connection breaks.
    #[must_use]
    pub fn handle(&self, method: &str, path: &str, body: &Json) -> Option<Reply> {
        self.handle_late(method, path, body).0
    }

    /// The same, with the time after which the response is sent.
    fn handle_late(&self, method: &str, path: &str, body: &Json) -> (Option<Reply>, Duration) {
        let mut state = self.state();
        state.calls.push((method.to_owned(), path.to_owned()));
        state.tick();
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let Some(path) = unescape_path(path) else {
            return (Some(refuse(400, "malformed path", "invalid")), Duration::ZERO);
        };
        let fault = state.script.next(method);
        let late = match fault {
            Some(Fault::Slow(late)) => late,
            _ => Duration::ZERO,
        };
        (state.answer(method, (&path, query), body, fault), late)
    }

    /// Requests that could have changed something.
    #[must_use]
    pub fn writes(&self) -> usize {
        let state = self.state();
        state.calls.iter().filter(|(method, _)| method != "GET").count()
    }
}

impl State {
    fn answer(
        &mut self,
        method: &str,
        (path, query): (&str, &str),
        body: &Json,
        fault: Option<Fault>,
    ) -> Option<Reply> {
        match fault {
            Some(Fault::Status(status)) => return Some(refuse(status, "by script", "scripted")),
            Some(Fault::Lost) => return None,
            _ => {}
        }
        if let Some(refusal) = self.over_quota(method, path) {
            return Some(refusal);
        }
        let reply = self.route(method, (path, query), body, fault == Some(Fault::Operation));
        match fault {
            Some(Fault::Unheard) => None,
            Some(Fault::OutsideEdit) => {
                self.edit_outside(path);
                Some(reply)
            }
            _ => Some(reply),
        }
    }

    /// The response to a request that is one too many.
    fn over_quota(&self, method: &str, path: &str) -> Option<Reply> {
        if let Some(requests) = self.quota.requests
            && self.calls.len().is_multiple_of(requests.max(2))
        {
            let message = "Quota exceeded for quota metric 'Requests' and limit 'Requests per minute'";
            return Some(refuse(429, message, "rateLimitExceeded"));
        }
        let project = path.split("/projects/").nth(1)?.split('/').next()?;
        let owned = self
            .resources
            .keys()
            .filter(|key| key.split('/').nth(1) == Some(project));
        let most = self.quota.resources?;
        let is_new = method == "POST" || (method == "PUT" && !self.is_known(path));
        if is_new && owned.count() >= most {
            return Some(refuse(403, "The resource quota is exceeded.", "quotaExceeded"));
        }
        None
    }

    fn is_known(&self, path: &str) -> bool {
        self.resources.keys().any(|key| path.ends_with(key.as_str()))
    }

    fn route(&mut self, method: &str, (path, query): (&str, &str), body: &Json, fails: bool) -> Reply {
        if let Some(reply) = self.described(method, (path, query), body, fails) {
            return reply;
        }
        if let Some(rest) = path.strip_prefix("/sql/v1beta4/") {
            return cloud_sql::handle(self, method, rest, body, fails);
        }
        match path.strip_prefix("/v1/") {
            Some(rest) => pubsub::handle(self, method, rest, body),
            None => refuse(404, "no such API", "notFound"),
        }
    }

    /// The response of a service that is made from the description of a kind. The first two kinds have fakes of their own.
    fn described(
        &mut self,
        method: &str,
        (path, query): (&str, &str),
        body: &Json,
        fails: bool,
    ) -> Option<Reply> {
        let own = std::mem::take(&mut self.kinds);
        let known = crate::kinds::ALL[2..]
            .iter()
            .filter_map(|known| known.described().ok());
        let mut all = own.iter().cloned().chain(known);
        let reply = all.find_map(|of| {
            if method == "GET"
                && let Some(operation) = path
                    .strip_prefix(&*of.prefix)
                    .and_then(|path| self.operations.get(path.trim_start_matches('/')))
            {
                return Some((200, operation.clone()));
            }
            let call = described::Call::of(&of, path, query)?;
            Some(call.handle(self, method, body, fails))
        });
        self.kinds = own;
        reply
    }

    /// Whether an operation on a resource is running.
    fn is_running(&self, path: &str) -> bool {
        let mut operations = self.operations.values();
        operations.any(|operation| {
            operation["targetId"] == path && operation["status"] != "DONE" && operation["done"] != true
        })
    }

    fn next_id(&mut self) -> u64 {
        self.counter += 1;
        self.counter
    }

    /// Advances time: every request brings operations closer to their end.
    fn tick(&mut self) {
        cloud_sql::tick(self);
    }

    /// Changes the resource as somebody else would.
    fn edit_outside(&mut self, path: &str) {
        let found = self
            .resources
            .iter_mut()
            .find(|(key, _)| path.ends_with(key.as_str()));
        if let Some((_, resource)) = found {
            cloud_sql::touch(resource);
        }
    }
}

impl Http for Fake {
    async fn send(&self, request: Request) -> Result<Response, HttpError> {
        let body = request.body.unwrap_or_default();
        let (reply, late) = self.handle_late(request.method, &request.path, &body);
        // Nobody waits without a connection: a late response is one that never comes.
        match reply.filter(|_| late.is_zero()) {
            Some((status, body)) => Ok(Response {
                status,
                retry_after: None,
                body,
            }),
            None => Err(HttpError("the connection broke".to_owned())),
        }
    }
}

fn refuse(status: u16, message: &str, reason: &str) -> Reply {
    let error =
        json!({ "code": status, "message": message, "errors": [{ "reason": reason, "message": message }] });
    (status, json!({ "error": error }))
}

/// Applies a merge patch.
fn merge(target: &mut Json, patch: &Json) {
    let Json::Object(patch) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = json!({});
    }
    for (key, value) in patch {
        match value {
            Json::Null => {
                if let Some(target) = target.as_object_mut() {
                    target.remove(key);
                }
            }
            value => merge(&mut target[key], value),
        }
    }
}
