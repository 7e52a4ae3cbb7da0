//! What webhooks and policies ask of the server.

use std::time::Duration;

use kindsmith_cel::access::Authorizer;
use kindsmith_json::{Arena, Object, Value};
use kindsmith_request::{Mutated, Status};

use crate::attributes::{Equivalent, Gvk};
use crate::{Caller, Observer};

/// What webhooks need from the server: cluster state and conversions.
pub trait Host<'a> {
    /// The arena of all values.
    fn arena(&self) -> &'a Arena;

    /// Makes the calls.
    fn caller(&self) -> &dyn Caller;

    /// A new UID for a review.
    fn new_uid(&self) -> String;

    /// The time left for the request.
    fn time_left(&self) -> Duration;

    /// The labels of a namespace.
    ///
    /// # Errors
    ///
    /// If there is no such namespace.
    fn namespace_labels(&self, namespace: &str) -> Result<Object<'a>, Status>;

    /// Other resources (versions) with the same objects as the request's resource.
    fn equivalents(&self) -> &[Equivalent];

    /// Converts an object to another kind.
    ///
    /// # Errors
    ///
    /// If it cannot be converted.
    fn convert(&self, object: Value<'a>, kind: &Gvk) -> Result<Value<'a>, Status>;

    /// Decodes an object after a patch, before the next webhook sees it.
    ///
    /// # Errors
    ///
    /// If it no longer fits its type.
    fn decode(&self, patched: Value<'a>, kind: &Gvk) -> Result<Mutated<'a>, Status>;

    /// Converts an object back to the request's kind after a round of mutations.
    ///
    /// # Errors
    ///
    /// If it cannot be converted.
    fn settle(&self, object: Value<'a>) -> Result<Value<'a>, Status>;

    /// Adds a warning for the client.
    fn warn(&mut self, text: String);

    /// The authorizer.
    fn authorizer(&self) -> &dyn Authorizer;

    /// Adds to the audit event of the request.
    fn annotate(&mut self, key: String, value: String);

    /// Observes calls.
    fn observer(&self) -> Option<&dyn Observer> {
        None
    }
}
