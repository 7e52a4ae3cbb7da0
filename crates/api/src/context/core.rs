//! The parts of the server that calls use, each under its own name.

use std::sync::{Arc, PoisonError, RwLock};

use kindsmith_admission::Webhooks;
use kindsmith_admission::policy::Policies;
use kindsmith_json::Value;
use kindsmith_object::Release;
use kindsmith_store::{Bytes, Store};

use crate::access::Tokens;
use crate::catalog::Defined;
use crate::followed::Followed;
use crate::registered::Registered;
use crate::watch::Shared;
use crate::write::pools::Services;
use crate::{Access, Catalog, Environment, Plugins, options};

/// The parts of the server that calls use.
pub(crate) struct Core {
    /// The release whose rules hold.
    pub(crate) release: Release,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) environment: Arc<dyn Environment>,
    /// What is served.
    pub(crate) catalog: Current,
    /// What is registered besides.
    pub(crate) registered: Followed<Registered>,
    /// Whether watches may start with the existing objects.
    pub(crate) has_initial_events: bool,
    /// Recently encoded events.
    pub(crate) events: Arc<Shared>,
    /// Authorization.
    pub(crate) access: Access,
    /// Reads and signs tokens.
    pub(crate) tokens: options::Tokens,
    /// What judges writes.
    pub(crate) judges: Judges,
    /// The client for webhooks.
    pub(crate) webhooks: options::Webhooks,
    /// What writes do.
    pub(crate) writes: options::Writes,
    /// What services hold, and may get.
    pub(crate) services: Services,
    /// Whether a component listens at an address.
    pub(crate) probe: Option<fn(std::net::SocketAddr) -> Result<(), String>>,
}

/// The catalog that is served now.
pub(crate) struct Current(RwLock<Arc<Catalog>>);

/// What judges writes: plugins, policies and webhooks.
pub(crate) struct Judges {
    /// Admission plugins.
    pub(crate) plugins: Plugins,
    /// Stored webhooks.
    pub(crate) webhooks: Followed<Webhooks>,
    /// Stored policies.
    pub(crate) policies: Followed<Policies>,
    /// Webhooks and policies from files.
    pub(crate) fixed: (Arc<Webhooks>, Arc<Policies>),
}

impl Current {
    pub(crate) fn new(catalog: Catalog) -> Self {
        Current(RwLock::new(Arc::new(catalog)))
    }
}

impl Core {
    /// The current catalog.
    pub(crate) fn catalog(&self) -> Arc<Catalog> {
        let catalog = self.catalog.0.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&catalog)
    }

    /// Follows a CRD that was written (`Some`) or removed (`None`).
    pub(crate) fn define(&self, name: &str, source: Option<&Bytes>) {
        let new = source.and_then(|source| self.catalog().read(source));
        self.replace(name, new);
    }

    /// Follows a CRD that was written, whose value is known.
    pub(crate) fn define_value(&self, name: &str, source: &Bytes, value: Value<'_>) {
        let new = self.catalog().read_value(source, value);
        self.replace(name, new);
    }

    fn replace(&self, name: &str, new: Option<Defined>) {
        let mut catalog = self.catalog.0.write().unwrap_or_else(PoisonError::into_inner);
        // Copies it only if somebody reads it now: with thousands of CRDs that takes longer than all the rest.
        let old = Arc::make_mut(&mut catalog).define(name, new);
        drop(catalog);
        drop(old);
    }

    /// Tokens of service accounts, if somebody signs them.
    pub(crate) fn tokens(&self) -> Option<Tokens<'_>> {
        Some(Tokens {
            signer: self.tokens.signer.as_deref()?,
            store: &*self.store,
            environment: &*self.environment,
        })
    }
}
