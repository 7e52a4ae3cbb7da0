//! The parts of the server that calls use, each under its own name.

use std::sync::{Arc, PoisonError, RwLock};

use kindsmith_admission::Webhooks;
use kindsmith_admission::policy::Policies;
use kindsmith_request::Declarative;
use kindsmith_store::Store;

use crate::access::Tokens;
use crate::followed::Followed;
use crate::watch::Shared;
use crate::write::pools::Services;
use crate::{Access, Catalog, Environment, Options};

/// What the server is made of.
pub(crate) struct Core {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) environment: Arc<dyn Environment>,
    /// Recently encoded events.
    pub(crate) events: Arc<Shared>,
    /// What is served.
    pub(crate) catalog: RwLock<Arc<Catalog>>,
    /// Authorization.
    pub(crate) access: Access,
    /// Admission webhooks.
    pub(crate) webhooks: Followed<Webhooks>,
    /// Admission policies.
    pub(crate) policies: Followed<Policies>,
    /// Webhooks and policies from files.
    pub(crate) fixed: (Arc<Webhooks>, Arc<Policies>),
    /// What services hold, and may get.
    pub(crate) services: Services,
    pub(crate) options: Options,
}

impl Core {
    /// The current catalog.
    pub(crate) fn catalog(&self) -> Arc<Catalog> {
        let catalog = self.catalog.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&catalog)
    }

    /// Replaces the catalog.
    pub(crate) fn serve(&self, catalog: Catalog) {
        let mut served = self.catalog.write().unwrap_or_else(PoisonError::into_inner);
        *served = Arc::new(catalog);
    }

    /// How it behaves.
    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// Which errors of tags count, and how often they differed from hand-written rules.
    pub(crate) fn declarative(&self) -> &Declarative {
        &self.options.declarative
    }

    /// Tokens of service accounts, if somebody signs them.
    pub(crate) fn tokens(&self) -> Option<Tokens<'_>> {
        Some(Tokens {
            signer: self.options.token_signer.as_deref()?,
            store: &*self.store,
            environment: &*self.environment,
        })
    }
}
