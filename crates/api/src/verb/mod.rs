//! What can be done to resources: one file per verb.
//!
//! A verb takes a [`Call`] and gives a response, or the [`Status`](kindsmith_wire::Status) to answer instead. Whether the
//! user may do it was decided before.

pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod watch;

use std::sync::Arc;

use kindsmith_store::Store;

use crate::query::Query;
use crate::{Ambient, Request, RequestInfo, Served};

/// One request on a resource, with all that answering it needs.
#[derive(Clone, Copy)]
pub(crate) struct Call<'r> {
    /// Where objects are.
    pub(crate) store: &'r dyn Store,
    /// What time it is.
    pub(crate) ambient: &'r dyn Ambient,
    /// What was asked.
    pub(crate) request: &'r Request<'r>,
    /// What the path says.
    pub(crate) info: &'r RequestInfo,
    /// What the query says.
    pub(crate) query: &'r Query,
    /// What it is asked of.
    pub(crate) served: &'r Arc<Served>,
}

impl Call<'_> {
    /// Where the objects of the request's namespace are stored, or all of them: a prefix with a slash at the end.
    pub(crate) fn collection_prefix(&self) -> String {
        match self.info.namespace.as_str() {
            "" => self.served.key_prefix.to_string(),
            namespace => format!("{}{namespace}/", self.served.key_prefix),
        }
    }

    /// Where the request's object is stored.
    pub(crate) fn key(&self) -> String {
        format!("{}{}", self.collection_prefix(), self.info.name)
    }
}
