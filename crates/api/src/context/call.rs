//! One request on a resource, with everything needed to answer it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use kindsmith_gostd::budget;
use kindsmith_gostd::quote::{quote, quote_bytes};
use kindsmith_object::meta::Scope;
use kindsmith_request::{Status, Warning};
use kindsmith_store::{Entry, Error, Store};

use super::{Above, Core, Created};
use crate::request::query::Query;
use crate::request::url;
use crate::{Environment, Request, RequestInfo, Served, stored};

/// One request on a resource, with everything needed to answer it.
#[derive(Clone, Copy)]
pub(crate) struct Call<'r> {
    /// The parts of the server.
    pub(crate) core: &'r Core,
    /// The floors above.
    pub(crate) above: &'r dyn Above,
    /// The store.
    pub(crate) store: &'r dyn Store,
    /// Time and randomness.
    pub(crate) environment: &'r dyn Environment,
    /// The request.
    pub(crate) request: &'r Request<'r>,
    /// The parsed path.
    pub(crate) info: &'r RequestInfo,
    /// The parsed query.
    pub(crate) query: &'r Query,
    /// Whether the store's memory has caught up since the request came; `None` if nobody waited for it.
    pub(crate) caught_up: Option<&'r Result<(), Error>>,
    /// The resource.
    pub(crate) served: &'r Arc<Served>,
    /// Warnings and audit annotations.
    pub(crate) notes: &'r Notes,
}

impl<'r> Call<'r> {
    /// The key prefix of the objects in the request's namespace, or in all namespaces; with a trailing slash.
    pub(crate) fn collection_prefix(&self) -> String {
        self.served.key_prefix.within(self.namespace())
    }

    /// The namespace of the request; empty for cluster-scoped resources and for all namespaces.
    pub(crate) fn namespace(&self) -> &'r str {
        match self.served.scope {
            Scope::Namespaced => &self.info.namespace,
            Scope::Cluster => "",
        }
    }

    /// The key of an object in the request's namespace (`NamespaceKeyFunc` in apiserver's
    /// pkg/registry/generic/registry/store.go).
    pub(crate) fn key_of(&self, name: &str) -> Result<String, Status> {
        if self.served.scope == Scope::Namespaced && self.info.namespace.is_empty() {
            return Err(Status::bad_request("Namespace parameter required."));
        }
        if name.is_empty() {
            return Err(Status::bad_request("Name parameter required."));
        }
        let flaws: Vec<String> = match name {
            "." | ".." => vec![format!("may not be '{name}'")],
            name => ['/', '%']
                .into_iter()
                .filter(|&letter| name.contains(letter))
                .map(|letter| format!("may not contain '{letter}'"))
                .collect(),
        };
        if flaws.is_empty() {
            Ok(format!("{}{name}", self.collection_prefix()))
        } else {
            Err(Status::bad_request(format!(
                "Name parameter invalid: {}: {}",
                quote(name),
                flaws.join(";")
            )))
        }
    }

    /// Reads the newest state of a key.
    pub(crate) fn get(&self, key: &str) -> Result<Option<Entry>, Status> {
        let entry = match self.caught_up {
            None => self.store.get(key.as_bytes(), None),
            Some(Ok(())) => self.store.get_seen(key.as_bytes()),
            Some(Err(error)) => Err(error.clone()),
        };
        entry.map_err(stored::failure)
    }

    /// The store's newest revision.
    pub(crate) fn revision(&self) -> Result<u64, Status> {
        let revision = match self.caught_up {
            None => self.store.revision(),
            Some(Ok(())) => Ok(self.store.seen()),
            Some(Err(error)) => Err(error.clone()),
        };
        revision.map_err(stored::failure)
    }

    /// 404 for the request's object.
    pub(crate) fn not_found(&self) -> Status {
        let (group, plural, name) = (&self.served.group, &self.served.plural, self.info.path_name());
        let mut status = Status::not_found(group, plural, name);
        if name.contains(char::REPLACEMENT_CHARACTER) {
            // Kubernetes replaces invalid UTF-8 in the message only.
            let bytes = url::path_bytes(self.request.path);
            let last = bytes.split(|&byte| byte == b'/').rfind(|part| !part.is_empty());
            let shown = quote_bytes(last.unwrap_or_default());
            status.message = status.message.replace(&quote(name), &shown);
        }
        status
    }

    /// Adds warnings for the client.
    pub(crate) fn warn(&self, warnings: impl IntoIterator<Item = Warning>) {
        let texts = warnings.into_iter().map(|warning| warning.message);
        self.notes.warnings.borrow_mut().extend(texts);
    }

    /// Adds to the audit event; what is there already stays.
    pub(crate) fn annotate(&self, key: String, value: String) {
        self.notes.annotations.borrow_mut().entry(key).or_insert(value);
    }

    /// Lets the server follow what was written, and what it is if it is new and known.
    pub(crate) fn wrote(&self, is_dry_run: bool, name: &str, created: Option<Created<'_>>) {
        if !is_dry_run {
            let follow = || self.above.follow(self.served, self.namespace(), name, created);
            budget::finish(follow);
        }
    }
}

/// What is noted while a request is answered.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// What the client is warned of, in order.
    pub(crate) warnings: RefCell<Vec<String>>,
    /// What is added to the audit event.
    pub(crate) annotations: RefCell<BTreeMap<String, String>>,
}
