//! Admission without a server: for whoever reviews a manifest and knows no cluster.

use kindsmith_cel::access::{Authorizer, Decision, Question};
use kindsmith_json::{Arena, Value};
use kindsmith_request::{Admission, AdmissionRequest, Status};

use crate::plugin::{Failed, KindResource, Review, Server};
use crate::{Caller, Plugin, Plugins, chain};

/// The plugins of every cluster that change an object whatever else is stored.
const PLUGINS: &[Plugin] = &[
    Plugin::ServiceAccount,
    Plugin::TaintNodesByCondition,
    Plugin::Priority,
    Plugin::DefaultTolerationSeconds,
    Plugin::StorageObjectInUseProtection,
];

/// Admits writes without a server.
#[derive(Debug, Clone, Copy)]
pub struct Alone<'a> {
    arena: &'a Arena,
}

impl<'a> Alone<'a> {
    /// Makes values in an arena.
    #[must_use]
    pub fn new(arena: &'a Arena) -> Self {
        Alone { arena }
    }
}

impl<'a> Admission<'a> for Alone<'a> {
    fn mutate(&mut self, request: &AdmissionRequest<'_, 'a>, object: Value<'a>) -> Result<Value<'a>, Status> {
        let plugins = Plugins::only(PLUGINS);
        let review = Review::new(self.arena, request, &Nothing, &plugins.settings);
        chain::mutate(&plugins, &review, None, object)
    }
}

/// A server that has nothing.
struct Nothing;

impl Authorizer for Nothing {
    fn authorize(&self, _: &Question, _: &str) -> Decision {
        Decision::default()
    }
}

impl<'a> Server<'a> for Nothing {
    fn has_objects(&self) -> bool {
        false
    }

    fn find(&self, _: &str, _: &str, _: &str, _: &str) -> Option<Value<'a>> {
        None
    }

    fn all(&self, _: &str, _: &str, _: &str) -> Vec<Value<'a>> {
        Vec::new()
    }

    fn resource(&self, _: &str, _: &str) -> Option<KindResource> {
        None
    }

    fn user(&self) -> &'static str {
        ""
    }

    fn groups(&self) -> &[String] {
        &[]
    }

    fn authorizer(&self) -> &dyn Authorizer {
        self
    }

    fn create(&self, _: &str, _: Value<'_>) -> Result<(), Failed> {
        Ok(())
    }

    fn replace(&self, _: &str, _: Value<'_>) -> Result<(), Failed> {
        Ok(())
    }

    fn now(&self) -> i64 {
        0
    }

    fn steady(&self) -> i128 {
        0
    }

    fn caller(&self) -> Option<&dyn Caller> {
        None
    }

    fn suffix(&self) -> &'a str {
        ""
    }
}
