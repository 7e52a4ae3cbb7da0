//! What plugins ask about the cluster and the request.

use kindsmith_cel::access::{Authorizer, Decision, Question, Resource, Subject, Target};
use kindsmith_json::Value;
use kindsmith_object::meta::Scope;
use kindsmith_request::Status;

use crate::Caller;

/// A server, as plugins see it.
pub trait Server<'a> {
    /// Whether stored objects can be found at all; if not, plugins do what needs none.
    fn has_objects(&self) -> bool {
        true
    }

    /// A stored object; the namespace is empty for cluster-scoped ones. What cannot be read is not there.
    fn find(&self, group: &str, resource: &str, namespace: &str, name: &str) -> Option<Value<'a>>;

    /// All objects of a resource in a namespace; the namespace is empty for cluster-scoped ones.
    fn all(&self, group: &str, resource: &str, namespace: &str) -> Vec<Value<'a>>;

    /// The phase of a namespace, which every creation asks for.
    ///
    /// # Errors
    ///
    /// If there is no such namespace, or if the store cannot be read.
    fn phase(&self, namespace: &str) -> Result<&'a str, Status> {
        Ok(self.namespace(namespace)?.text(&["status", "phase"]))
    }

    /// A namespace.
    ///
    /// # Errors
    ///
    /// If there is none, or if the store cannot be read.
    fn namespace(&self, name: &str) -> Result<Value<'a>, Status> {
        let found = self.find("", "namespaces", "", name);
        found.ok_or_else(|| Status::not_found("", "namespaces", name))
    }

    /// The resource of a kind; `None` if it is not served.
    fn resource(&self, api_version: &str, kind: &str) -> Option<KindResource>;

    /// The name of the user.
    fn user(&self) -> &str;

    /// The groups of the user.
    fn groups(&self) -> &[String];

    /// Decides what users may do.
    fn authorizer(&self) -> &dyn Authorizer;

    /// Creates an object as the server itself. An object that already exists (409) is not an error.
    ///
    /// # Errors
    ///
    /// If the server refuses it.
    fn create(&self, path: &str, object: Value<'_>) -> Result<(), Failed>;

    /// Replaces an object, as the server itself.
    ///
    /// # Errors
    ///
    /// If the server refuses it.
    fn replace(&self, path: &str, object: Value<'_>) -> Result<(), Failed>;

    /// The time, in seconds since 1970.
    fn now(&self) -> i64;

    /// The time on a clock that is never set, in nanoseconds.
    fn steady(&self) -> i128;

    /// Makes calls; `None` if nothing can be called.
    fn caller(&self) -> Option<&dyn Caller>;

    /// Five random letters, for names.
    fn suffix(&self) -> &'a str;
}

/// The resource of a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KindResource {
    /// The API group.
    pub group: String,
    /// The resource.
    pub resource: String,
    /// Whether objects live in namespaces.
    pub scope: Scope,
}

/// Why a write of the server itself failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// The message of the answer.
    pub message: String,
}

/// Whether the user may do something to a resource.
pub(crate) fn ask(authorizer: &dyn Authorizer, verb: &str, resource: Resource) -> Decision {
    let question = Question {
        subject: Subject::User,
        target: Target::Resource(resource),
    };
    authorizer.authorize(&question, verb)
}
