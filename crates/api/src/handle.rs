//! One request in, one response out.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use kindsmith_request::Status;
use kindsmith_store::{List, Store};

use crate::catalog::{DEFINITIONS, own, served};
use crate::conversion::Conversions;
use crate::documents::Documents;
use crate::followed::Followed;
use crate::request::query::Query;
use crate::resource::Serving;
use crate::response::negotiate;
use crate::response::status_response;
use crate::watch::Shared;
use crate::write::pools::{Held, Reserved};
use crate::{
    Access, Attributes, Authenticator, Catalog, Environment, Request, RequestInfo, Response, User, access,
    bootstrap, route, webhook,
};

/// How the API behaves.
#[derive(Debug, Clone)]
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
    /// Which errors of tags count, and how often they differ from hand-written rules.
    pub declarative: Arc<kindsmith_request::Declarative>,
    /// Webhook configurations, policies and bindings that come from files: each under the key it would be stored at.
    pub admission: Vec<(String, Vec<u8>)>,
    /// Observes webhook calls, for metrics.
    pub observer: Option<Arc<dyn kindsmith_admission::Observer>>,
    /// Whether expressions of stored validating policies are checked against the kinds they match.
    pub checks_policies: bool,
    /// Whether watches cannot start with the existing objects (`WatchList` is off).
    pub has_no_initial_events: bool,
    /// Who decides what may be done; roles and bindings if nobody is named.
    pub authorization: Vec<crate::AuthorizationMode>,
    /// Which admission plugins are on.
    pub plugins: crate::Plugins,
    /// How many events may be written, while the plugin `EventRateLimit` is on.
    pub event_limits: Option<Arc<crate::EventLimits>>,
    /// Who decides about images, while the plugin `ImagePolicyWebhook` is on.
    pub image_policy: Option<Arc<crate::ImagePolicy>>,
    /// Versions of the server's own kinds that are not served, as `group/version`; `v1` is the core group's.
    pub disabled_versions: Vec<String>,
    /// The ranges of cluster IPs, at most one for each family; the first one is that of the default family.
    pub service_ranges: Vec<String>,
    /// The first and the last node port.
    pub node_ports: (u16, u16),
    /// Where clients inside a cluster reach the server: the endpoint of the service `default/kubernetes`.
    pub endpoint: Option<std::net::SocketAddr>,
    /// Which definitions of `/openapi/v2` publish their defaults.
    pub v2_defaults: crate::PublishedDefaults,
    /// Whether containers may be privileged.
    pub allow_privileged: bool,
    /// How long events are kept, in seconds, if not as their kind says.
    pub event_ttl_seconds: Option<u64>,
    /// What the server was started with, by the names of its flags; for `/flagz`.
    pub flags: Vec<(String, String)>,
    /// Who signs tokens of service accounts.
    pub token_signer: Option<Arc<dyn crate::TokenSigner>>,
    /// The name of the host, for the lease of the server; a server without one has no lease.
    pub host_name: Option<String>,
    /// Whether a component listens at an address; if not, why, as Go words it. For `componentstatuses`.
    pub probe: Option<fn(std::net::SocketAddr) -> Result<(), String>>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            kinds: Vec::new(),
            gates: kindsmith_crd::definition::Gates::default(),
            tokens: None,
            webhooks: None,
            declarative: Arc::default(),
            admission: Vec::new(),
            observer: None,
            checks_policies: false,
            has_no_initial_events: false,
            authorization: Vec::new(),
            plugins: crate::Plugins::without_controllers(),
            event_limits: None,
            image_policy: None,
            disabled_versions: Vec::new(),
            service_ranges: vec!["10.96.0.0/12".to_owned()],
            node_ports: (30000, 32767),
            endpoint: None,
            v2_defaults: crate::PublishedDefaults::None,
            allow_privileged: true,
            event_ttl_seconds: None,
            flags: Vec::new(),
            token_signer: None,
            host_name: None,
            probe: None,
        }
    }
}

impl Options {
    fn serves(&self, served: &crate::Served) -> bool {
        let version = match &*served.group {
            "" => served.version.to_string(),
            group => format!("{group}/{}", served.version),
        };
        !self.disabled_versions.contains(&version)
    }
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
    /// Admission policies.
    pub(crate) policies: Followed<kindsmith_admission::policy::Policies>,
    /// Webhooks and policies from files.
    pub(crate) fixed: (
        Arc<kindsmith_admission::Webhooks>,
        Arc<kindsmith_admission::policy::Policies>,
    ),
    /// What services hold.
    pub(crate) held: Followed<Held>,
    /// What services get that are not stored yet.
    pub(crate) reserved: Reserved,
    /// Held while the addresses of a service follow it.
    pub(crate) addressing: Mutex<()>,
    /// Held while what is served follows a definition.
    pub(crate) defining: Mutex<()>,
    pub(crate) options: Options,
    /// When it was opened.
    pub(crate) started: crate::Time,
    /// How often health checks passed or failed, by check and endpoint.
    pub(crate) checked: Mutex<BTreeMap<(&'static str, &'static str, bool), u64>>,
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
        let environment: Arc<dyn Environment> = environment.into();
        let serving = Serving {
            gates: options.gates,
            conversions: Conversions {
                caller: options.webhooks.clone(),
                observer: options.observer.clone(),
                environment: Arc::clone(&environment),
            },
        };
        let own = own().iter().filter(|kind| options.serves(kind)).cloned();
        let catalog = Catalog::new(own.chain(more), definitions, &serving);
        bootstrap::create(&*store, &*environment, &options)?;
        let started = environment.now();
        let api = Api {
            access: Access::new(Arc::clone(&store)).with_modes(&options.authorization),
            webhooks: Followed::new(Arc::clone(&store)),
            policies: Followed::new(Arc::clone(&store)),
            fixed: webhook::fixed(&options.admission),
            held: Followed::new(Arc::clone(&store)),
            reserved: Reserved::default(),
            store,
            environment,
            events: Arc::default(),
            documents: Documents::default(),
            catalog: RwLock::new(Arc::new(catalog)),
            addressing: Mutex::default(),
            defining: Mutex::default(),
            started,
            checked: Mutex::default(),
            options,
        };
        api.settle_all();
        api.register_all()?;
        api.follow_services()?;
        Ok(api)
    }

    /// What a request is about, for logs, metrics and [`Api::handle`].
    #[must_use]
    pub fn info(&self, request: &Request<'_>) -> RequestInfo {
        RequestInfo::new(request.method, request.path, request.query)
    }

    /// Whether answering a request may take its time, even if it only reads: a webhook converts the objects.
    #[must_use]
    pub fn may_wait(&self, info: &RequestInfo) -> bool {
        let catalog = self.catalog();
        let (group, version, plural) = (&info.group, &info.version, &info.resource);
        let served = catalog
            .find(group, version, plural)
            .or_else(|| catalog.find_unpublished(group, version, plural));
        served.is_some_and(|served| served.resource.may_wait())
    }

    /// Answers a request.
    #[must_use]
    pub fn handle(&self, request: &Request<'_>, info: &RequestInfo) -> Response {
        match self.authorize(request, info) {
            Ok(authorized) => self.answer(request, info, &authorized).0,
            Err(refusal) => refusal,
        }
    }

    /// Decides whether a request is answered at all. Its body is not needed for that.
    ///
    /// # Errors
    ///
    /// The answer to a request that is not.
    pub fn authorize(&self, request: &Request<'_>, info: &RequestInfo) -> Result<Authorized, Response> {
        let query = Query::parse(request.query);
        let authorized = check_timeout(info, &query)
            .and_then(|()| self.act_as(request, info))
            .and_then(|user| {
                let attributes = Attributes::of(user.as_ref().unwrap_or(request.user), info);
                self.access.check(&attributes)?;
                Ok(user)
            });
        match authorized {
            Ok(user) => Ok(Authorized { user, query }),
            Err(status) => Err(negotiate::error(request, &query, &status)),
        }
    }

    /// Answers a request that may be, with what is added to its audit event.
    #[must_use]
    pub fn answer(
        &self,
        request: &Request<'_>,
        info: &RequestInfo,
        authorized: &Authorized,
    ) -> (Response, BTreeMap<String, String>) {
        let query = &authorized.query;
        let notes = Notes::default();
        let user = authorized.user.as_ref().unwrap_or(request.user);
        let acting = Request { user, ..*request };
        let answered = route::answer(self, &acting, info, query, &notes);
        let response = answered.unwrap_or_else(|status| negotiate::error(request, query, &status));
        let response = status_response::with_warnings(response, notes.warnings.take());
        (response, notes.annotations.take())
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

    /// Which errors of tags count, and how often they differed from hand-written rules.
    #[must_use]
    pub fn declarative(&self) -> &kindsmith_request::Declarative {
        &self.options.declarative
    }

    /// How it behaves.
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

/// The permission to answer a request.
#[derive(Debug)]
pub struct Authorized {
    /// The user whom the request impersonates.
    user: Option<User>,
    /// Its parameters, which the decision needed too.
    query: Query,
}

impl Authorized {
    /// The user whom the request impersonates.
    #[must_use]
    pub fn impersonated(&self) -> Option<&User> {
        self.user.as_ref()
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
