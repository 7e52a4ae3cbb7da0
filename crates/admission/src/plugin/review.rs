//! A request as plugins see it, and what they answer.

use std::cell::RefCell;

use kindsmith_json::{Arena, Value};
use kindsmith_request::{AdmissionOperation, AdmissionRequest, Status};

use super::{PluginSettings, Server};

/// A request, as plugins see it.
pub struct Review<'r, 'a> {
    pub(crate) arena: &'a Arena,
    pub(crate) request: &'r AdmissionRequest<'r, 'a>,
    pub(crate) server: &'r dyn Server<'a>,
    pub(crate) settings: &'r PluginSettings,
    warnings: RefCell<Vec<String>>,
}

impl std::fmt::Debug for Review<'_, '_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Review").finish_non_exhaustive()
    }
}

/// Why a plugin refuses a request.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// 403 with this reason.
    Forbidden(String),
    /// Another answer.
    Other(Box<Status>),
}

impl From<Status> for Refusal {
    fn from(status: Status) -> Self {
        Refusal::Other(Box::new(status))
    }
}

/// Refuses with 403.
pub(crate) fn forbid<T>(why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Forbidden(why.into()))
}

impl<'r, 'a> Review<'r, 'a> {
    /// A review of a request by plugins with these settings.
    pub fn new(
        arena: &'a Arena,
        request: &'r AdmissionRequest<'r, 'a>,
        server: &'r dyn Server<'a>,
        settings: &'r PluginSettings,
    ) -> Self {
        Review {
            arena,
            request,
            server,
            settings,
            warnings: RefCell::default(),
        }
    }

    /// What plugins warn the client of.
    #[must_use]
    pub fn into_warnings(self) -> Vec<String> {
        self.warnings.into_inner()
    }

    pub(crate) fn warn(&self, text: String) {
        self.warnings.borrow_mut().push(text);
    }

    /// The answer to a refused request.
    pub(crate) fn status(&self, refusal: Refusal, object: Value<'a>) -> Status {
        match refusal {
            Refusal::Forbidden(why) => self.request.forbidden(object, &why),
            Refusal::Other(status) => *status,
        }
    }

    /// Whether the request is about this resource and subresource.
    pub(crate) fn is_of(&self, group: &str, resource: &str, subresource: &str) -> bool {
        let request = self.request;
        (request.group, request.resource, request.subresource) == (group, resource, subresource)
    }

    pub(crate) fn is_create(&self) -> bool {
        self.request.operation == AdmissionOperation::Create
    }

    /// A stored object; the namespace is empty for cluster-scoped ones.
    pub(crate) fn find(&self, group: &str, resource: &str, namespace: &str, name: &str) -> Option<Value<'a>> {
        self.server.find(group, resource, namespace, name)
    }

    /// All objects of a resource in the namespace of the request.
    pub(crate) fn all(&self, group: &str, resource: &str) -> Vec<Value<'a>> {
        self.server.all(group, resource, self.request.namespace)
    }

    /// All objects of a cluster-scoped resource.
    pub(crate) fn all_of_cluster(&self, group: &str, resource: &str) -> Vec<Value<'a>> {
        self.server.all(group, resource, "")
    }
}
