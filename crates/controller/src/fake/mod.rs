//! Stand-ins for the services, for tests and for trying things out: over real HTTP with [`serve`], or called directly.
//!
//! They keep resources as the real ones do where that matters to a controller: operations that take time, one at a time;
//! values filled in and left out; refusals of stale writes; and [`Fault`]s by script.

mod cloud_sql;
mod pubsub;
mod script;
mod server;

pub use script::{Fault, Script};
pub use server::serve;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::json;

use crate::Json;
use crate::http::{Http, HttpError, Request, Response};

/// All fakes, sharing one memory. Copies share it too.
#[derive(Debug, Clone, Default)]
pub struct Fake(Arc<Mutex<State>>);

/// What the fakes know.
#[derive(Debug, Default)]
pub struct State {
    /// Resources by path, such as `projects/p/instances/i`.
    pub resources: BTreeMap<String, Json>,
    /// Operations by path.
    pub operations: BTreeMap<String, Json>,
    /// Requests that an operation outlives.
    pub latency: u32,
    /// What goes wrong.
    pub script: Script,
    /// Requests so far, those that were refused too.
    pub calls: Vec<(String, String)>,
    /// Creations by path: a resource must not be created twice.
    pub creations: BTreeMap<String, u32>,
    counter: u64,
}

/// What a fake answers: a status and a body.
type Reply = (u16, Json);

impl Fake {
    /// The memory, to look at it and to change things behind the controller's back.
    ///
    /// # Panics
    /// If a thread panicked while it held the memory.
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no holder of the memory panics")
    }

    /// Answers one request; nothing if the connection breaks.
    #[must_use]
    pub fn handle(&self, method: &str, path: &str, body: &Json) -> Option<Reply> {
        let mut state = self.state();
        state.calls.push((method.to_owned(), path.to_owned()));
        state.tick();
        let path = path.split('?').next().unwrap_or_default();
        let fault = state.script.next(method);
        match fault {
            Some(Fault::Status(status)) => return Some(refuse(status, "by script", "scripted")),
            Some(Fault::Lost) => return None,
            _ => {}
        }
        let reply = state.route(method, path, body, fault == Some(Fault::Operation));
        match fault {
            Some(Fault::Unheard) => None,
            Some(Fault::OutsideEdit) => {
                state.edit_outside(path);
                Some(reply)
            }
            _ => Some(reply),
        }
    }

    /// Requests that could have changed something.
    #[must_use]
    pub fn writes(&self) -> usize {
        let state = self.state();
        state.calls.iter().filter(|(method, _)| method != "GET").count()
    }
}

impl State {
    fn route(&mut self, method: &str, path: &str, body: &Json, fails: bool) -> Reply {
        if let Some(rest) = path.strip_prefix("/sql/v1beta4/") {
            return cloud_sql::handle(self, method, rest, body, fails);
        }
        match path.strip_prefix("/v1/") {
            Some(rest) => pubsub::handle(self, method, rest, body),
            None => refuse(404, "no such API", "notFound"),
        }
    }

    fn next_id(&mut self) -> u64 {
        self.counter += 1;
        self.counter
    }

    /// Time passes: with every request, operations come nearer to their end.
    fn tick(&mut self) {
        cloud_sql::tick(self);
    }

    /// Somebody else writes to the resource.
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
        match self.handle(request.method, &request.path, &body) {
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

/// Lays a merge patch over a value.
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
