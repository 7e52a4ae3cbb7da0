//! One request in, one response out.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use kindsmith_request::Status;
use kindsmith_store::{List, Store};

use crate::catalog::{DEFINITIONS, own, served};
use crate::documents::Documents;
use crate::followed::Followed;
use crate::request::query::Query;
use crate::response::negotiate;
use crate::response::status_response;
use crate::watch::Shared;
use crate::{
    Access, Attributes, Authenticator, Catalog, Environment, Request, RequestInfo, Response, User, access,
    bootstrap, route,
};

/// Options of the API.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// Kinds to serve besides the built-in ones.
    pub kinds: Vec<Arc<kindsmith_builtin::Kind>>,
    /// Feature gates for CRDs and custom resources.
    pub gates: kindsmith_crd::definition::Gates,
    /// Authenticates the tokens of `TokenReview`s.
    pub tokens: Option<Arc<dyn Authenticator>>,
    /// Calls webhooks; without it, every call fails.
    pub webhooks: Option<Arc<dyn kindsmith_admission::Caller>>,
    /// Whether watches reject `sendInitialEvents` (the feature `WatchList` is off).
    pub has_no_initial_events: bool,
}

/// The API over a store.
pub struct Api {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) environment: Arc<dyn Environment>,
    /// Recently encoded events.
    pub(crate) events: Arc<Shared>,
    /// Discovery and OpenAPI documents.
    pub(crate) documents: Documents,
    catalog: RwLock<Arc<Catalog>>,
    /// Authorization.
    pub(crate) access: Access,
    /// Admission webhooks.
    pub(crate) webhooks: Followed<kindsmith_admission::Webhooks>,
    /// Held while the catalog is updated after a CRD change.
    pub(crate) defining: Mutex<()>,
    pub(crate) options: Options,
}

impl Api {
    /// Opens the API over a store: serves the built-in kinds and the custom resources defined there, and creates the
    /// objects that every server has (namespaces, roles).
    ///
    /// # Errors
    ///
    /// If the store cannot be read or written.
    pub fn open(
        store: Arc<dyn Store>,
        environment: Box<dyn Environment>,
        options: Options,
    ) -> Result<Self, kindsmith_store::Error> {
        let definitions = store.list(&List::of(DEFINITIONS.as_bytes()))?;
        let definitions = definitions.entries.into_iter().filter_map(|entry| {
            let name = std::str::from_utf8(&entry.key).ok()?.strip_prefix(DEFINITIONS)?;
            Some((name.into(), entry.value))
        });
        let more = options.kinds.iter().map(|kind| Arc::new(served(kind)));
        let catalog = Catalog::new(own().iter().cloned().chain(more), definitions, options.gates);
        bootstrap::create(&*store, &*environment)?;
        let api = Api {
            access: Access::new(Arc::clone(&store)),
            webhooks: Followed::new(Arc::clone(&store)),
            store,
            environment: environment.into(),
            events: Arc::default(),
            documents: Documents::default(),
            catalog: RwLock::new(Arc::new(catalog)),
            defining: Mutex::default(),
            options,
        };
        api.settle_all();
        Ok(api)
    }

    /// What a request is about, for logs, metrics and [`Api::handle`].
    #[must_use]
    pub fn info(&self, request: &Request<'_>) -> RequestInfo {
        RequestInfo::new(request.method, request.path, request.query)
    }

    /// Answers a request.
    #[must_use]
    pub fn handle(&self, request: &Request<'_>, info: &RequestInfo) -> Response {
        let query = Query::parse(request.query);
        let warnings = RefCell::default();
        let answered = check_timeout(info, &query)
            .and_then(|()| self.act_as(request, info))
            .and_then(|user| {
                let user = user.as_ref().unwrap_or(request.user);
                self.access.check(&Attributes::of(user, info))?;
                let request = Request { user, ..*request };
                route::answer(self, &request, info, &query, &warnings)
            });
        let response = answered.unwrap_or_else(|status| negotiate::error(request, &query, &status));
        status_response::with_warnings(response, warnings.take())
    }

    /// The user a request impersonates, if any.
    fn act_as(&self, request: &Request<'_>, info: &RequestInfo) -> Result<Option<User>, Status> {
        match access::wanted(request)? {
            Some(wanted) => {
                let attributes = Attributes::of(request.user, info);
                self.access.impersonate(&attributes, &wanted).map(Some)
            }
            None => Ok(None),
        }
    }

    /// The options it was opened with.
    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// The current catalog.
    #[must_use]
    pub fn catalog(&self) -> Arc<Catalog> {
        let catalog = self.catalog.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&catalog)
    }

    /// Replaces the catalog.
    pub(crate) fn serve(&self, catalog: Catalog) {
        let mut served = self.catalog.write().unwrap_or_else(PoisonError::into_inner);
        *served = Arc::new(catalog);
    }
}

/// Rejects a malformed `timeout` parameter (`parseTimeout` in apiserver's pkg/endpoints/filters/request_deadline.go).
/// Enforcing the timeout is up to the caller.
fn check_timeout(info: &RequestInfo, query: &Query) -> Result<(), Status> {
    if info.is_resource && info.verb == "watch" {
        return Ok(());
    }
    match query.text("timeout") {
        "" => Ok(()),
        text => match kindsmith_gostd::duration::Duration::parse(text) {
            Ok(_) => Ok(()),
            Err(error) => Err(Status::bad_request(format!(
                "invalid timeout specified in the request URL - {error}"
            ))),
        },
    }
}
