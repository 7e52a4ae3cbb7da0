//! What can be done to resources: one file per verb.
//!
//! A verb takes a [`Call`] and gives a response, or the [`Status`](kindsmith_request::Status) to answer instead. Whether the
//! user may do it was decided before.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod delete_collection;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod patch;
pub(crate) mod pod;
pub(crate) mod scale;
pub(crate) mod update;
pub(crate) mod watch;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use kindsmith_gostd::quote::{quote, quote_bytes};
use kindsmith_object::meta::Scope;
use kindsmith_request::Status;
use kindsmith_store::Store;

use crate::request::query::Query;
use crate::request::url;
use crate::{Api, Environment, Request, RequestInfo, Served};

/// One request on a resource, with all that answering it needs.
#[derive(Clone, Copy)]
pub(crate) struct Call<'r> {
    /// Whom it is asked of.
    pub(crate) api: &'r Api,
    /// Where objects are.
    pub(crate) store: &'r dyn Store,
    /// What time it is.
    pub(crate) environment: &'r dyn Environment,
    /// What was asked.
    pub(crate) request: &'r Request<'r>,
    /// What the path says.
    pub(crate) info: &'r RequestInfo,
    /// What the query says.
    pub(crate) query: &'r Query,
    /// What it is asked of.
    pub(crate) served: &'r Arc<Served>,
    /// What the client is warned of, in order.
    pub(crate) warnings: &'r RefCell<Vec<String>>,
    /// What is added to the audit event.
    pub(crate) annotations: &'r RefCell<BTreeMap<String, String>>,
}

impl<'r> Call<'r> {
    /// Where the objects of the request's namespace are stored, or all of them: a prefix with a slash at the end.
    pub(crate) fn collection_prefix(&self) -> String {
        match self.namespace() {
            "" => self.served.key_prefix.to_string(),
            namespace => format!("{}{namespace}/", self.served.key_prefix),
        }
    }

    /// The namespace of the request's objects; empty if they live in none, or in all.
    pub(crate) fn namespace(&self) -> &'r str {
        match self.served.scope {
            Scope::Namespaced => &self.info.namespace,
            Scope::Cluster => "",
        }
    }

    /// Where an object of the request's namespace is stored (`NamespaceKeyFunc` in apiserver's
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
        match flaws.is_empty() {
            true => Ok(format!("{}{name}", self.collection_prefix())),
            false => Err(Status::bad_request(format!(
                "Name parameter invalid: {}: {}",
                quote(name),
                flaws.join(";")
            ))),
        }
    }

    /// 404 for the request's object.
    pub(crate) fn not_found(&self) -> Status {
        let (group, plural, name) = (&self.served.group, &self.served.plural, self.info.path_name());
        let mut status = Status::not_found(group, plural, name);
        if name.contains(char::REPLACEMENT_CHARACTER) {
            // Bytes that are no UTF-8 are shown as such in the text alone.
            let bytes = url::path_bytes(self.request.path);
            let last = bytes.split(|&byte| byte == b'/').rfind(|part| !part.is_empty());
            let shown = quote_bytes(last.unwrap_or_default());
            status.message = status.message.replace(&quote(name), &shown);
        }
        status
    }

    /// Notes what the client is warned of.
    pub(crate) fn warn(&self, texts: impl IntoIterator<Item = String>) {
        self.warnings.borrow_mut().extend(texts);
    }

    /// Adds to the audit event; what is there already stays.
    pub(crate) fn annotate(&self, key: String, value: String) {
        self.annotations.borrow_mut().entry(key).or_insert(value);
    }

    /// Lets the server follow what was written: a definition changes what is served, and one that is going may only wait
    /// for this object.
    pub(crate) fn wrote(&self, is_dry_run: bool, name: &str) {
        let (group, plural) = (&self.served.group, &self.served.plural);
        if is_dry_run {
            return;
        }
        if *self.served.key_prefix == *crate::catalog::DEFINITIONS {
            self.api.follow_definition(name);
        } else if self.served.resource.is_custom() && self.api.catalog().is_terminating(group, plural) {
            self.api.follow_definition(&format!("{plural}.{group}"));
        }
    }
}
