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
use crate::verb::Notes;
use crate::watch::Shared;
use crate::{
    Access, Attributes, Authenticator, Catalog, Environment, Request, RequestInfo, Response, User, access,
    bootstrap, route, webhook,
};

/// How the API behaves.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// Kinds that are served beside the server's own ones.
    pub kinds: Vec<Arc<kindsmith_builtin::Kind>>,
    /// Features that change what is said to definitions and objects.
    pub gates: kindsmith_crd::definition::Gates,
    /// Who tells whose tokens are, for reviews of them.
    pub tokens: Option<Arc<dyn Authenticator>>,
    /// Who calls webhooks; without one, calls fail.
    pub webhooks: Option<Arc<dyn kindsmith_admission::Caller>>,
    /// Webhook configurations, policies and bindings that are no objects: each under the key it would be stored at.
    pub admission: Vec<(String, Vec<u8>)>,
    /// Whether a watch may not ask for the objects there are first (`WatchList` is off).
    pub has_no_initial_events: bool,
}

/// The API over a store.
pub struct Api {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) environment: Arc<dyn Environment>,
    /// Events that were encoded lately.
    pub(crate) events: Arc<Shared>,
    /// Documents about what is served.
    pub(crate) documents: Documents,
    catalog: RwLock<Arc<Catalog>>,
    /// Who may do what.
    pub(crate) access: Access,
    /// Admission webhooks.
    pub(crate) webhooks: Followed<kindsmith_admission::Webhooks>,
    /// Admission policies.
    pub(crate) policies: Followed<kindsmith_admission::policy::Policies>,
    /// Webhooks and policies that are no objects.
    pub(crate) fixed: (
        Arc<kindsmith_admission::Webhooks>,
        Arc<kindsmith_admission::policy::Policies>,
    ),
    /// Held while what is served follows a definition.
    pub(crate) defining: Mutex<()>,
    pub(crate) options: Options,
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
            policies: Followed::new(Arc::clone(&store)),
            fixed: webhook::fixed(&options.admission),
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
        let notes: RefCell<Notes> = RefCell::default();
        let answered = check_timeout(info, &query)
            .and_then(|()| self.act_as(request, info))
            .and_then(|user| {
                let user = user.as_ref().unwrap_or(request.user);
                self.access.check(&Attributes::of(user, info))?;
                let request = Request { user, ..*request };
                route::answer(self, &request, info, &query, &notes)
            });
        let response = answered.unwrap_or_else(|status| negotiate::error(request, &query, &status));
        let Notes {
            warnings,
            annotations,
        } = notes.take();
        Response {
            annotations,
            ..status_response::with_warnings(response, warnings)
        }
    }

    /// Who a request acts as, if it is somebody else.
    fn act_as(&self, request: &Request<'_>, info: &RequestInfo) -> Result<Option<User>, Status> {
        match access::wanted(request)? {
            Some(wanted) => {
                let attributes = Attributes::of(request.user, info);
                self.access.impersonate(&attributes, &wanted).map(Some)
            }
            None => Ok(None),
        }
    }

    /// How it behaves.
    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// What is served now.
    #[must_use]
    pub fn catalog(&self) -> Arc<Catalog> {
        let catalog = self.catalog.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&catalog)
    }

    /// Puts another catalog in the place of the one that is served.
    pub(crate) fn serve(&self, catalog: Catalog) {
        let mut served = self.catalog.write().unwrap_or_else(PoisonError::into_inner);
        *served = Arc::new(catalog);
    }
}

/// Refuses a time limit that is none (`parseTimeout` in apiserver's pkg/endpoints/filters/request_deadline.go). How long
/// a request may take is the caller's business.
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
