//! One request in, one response out.

use std::sync::{Arc, RwLock};

use kindsmith_store::Store;

use crate::{Ambient, Catalog, Content, Request, RequestInfo, Response};

/// How the API behaves.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Options {}

/// The API over a store.
pub struct Api {
    store: Arc<dyn Store>,
    ambient: Box<dyn Ambient>,
    catalog: RwLock<Arc<Catalog>>,
    options: Options,
}

impl Api {
    /// Opens the API over a store: serves the built-in kinds and the custom resources that are defined there, and
    /// creates what every server has (namespaces, roles).
    ///
    /// # Errors
    ///
    /// If the store cannot be read or written.
    pub fn open(
        store: Arc<dyn Store>,
        ambient: Box<dyn Ambient>,
        options: Options,
    ) -> Result<Self, kindsmith_store::Error> {
        Ok(Api {
            store,
            ambient,
            catalog: RwLock::default(),
            options,
        })
    }

    /// What a request is about, for logs, metrics and [`Api::handle`].
    #[must_use]
    pub fn info(&self, request: &Request<'_>) -> RequestInfo {
        let _ = request;
        RequestInfo::default()
    }

    /// Answers a request.
    #[must_use]
    pub fn handle(&self, request: &Request<'_>, info: &RequestInfo) -> Response {
        let _ = (&self.store, &self.ambient, &self.options, request, info);
        Response {
            status: 404,
            headers: vec![("content-type", "text/plain; charset=utf-8".into())],
            content: Content::Bytes(b"404 page not found\n".to_vec()),
        }
    }

    /// What is served now.
    #[must_use]
    pub fn catalog(&self) -> Arc<Catalog> {
        let catalog = self
            .catalog
            .read()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        Arc::clone(&catalog)
    }
}
