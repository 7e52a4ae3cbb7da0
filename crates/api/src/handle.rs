//! One request in, one response out.

use std::collections::BTreeMap;
use std::sync::Arc;

use kindsmith_admission::Webhooks;
use kindsmith_admission::policy::Policies;
use kindsmith_gostd::budget;
use kindsmith_json::pause;
use kindsmith_object::Behavior;
use kindsmith_object::store_key::CUSTOM_RESOURCE_DEFINITIONS as DEFINITIONS;
use kindsmith_request::Status;
use kindsmith_store::{Error, Event, List, Store};

use crate::bootstrap::{self, api_services};
use crate::catalog::{own, served};
use crate::context::{Above, Authorized, Core, Created, Current, Judges, Notes};
use crate::conversion_webhook::Conversions;
use crate::follow::{Follower, Turns};
use crate::followed::Followed;
use crate::options::Host;
use crate::paths::{self, Pages};
use crate::request::query::Query;
use crate::resource::Serving;
use crate::response::negotiate;
use crate::response::status_response;
use crate::write::pools::Services;
use crate::{
    Access, Answer, Attributes, Catalog, Environment, Loopback, Options, Request, RequestInfo, Response,
    Served, User, access, route, webhook,
};

/// The API over a store.
pub struct Api {
    /// What calls use.
    core: Core,
    /// What paths that are not resources use.
    pages: Pages,
    /// Followers of writes take turns.
    turns: Turns,
    /// The machine it runs on.
    host: Host,
    /// Whether expressions of validating policies are checked.
    checks_policies: bool,
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
        pause::at_each(|pause| budget::spend_in(pause.values, || pause.held));
        let definitions = store.list(&List::of(DEFINITIONS.as_bytes()))?;
        let definitions = definitions.entries.into_iter().filter_map(|entry| {
            let name = std::str::from_utf8(&entry.key)
                .ok()?
                .strip_prefix(&*DEFINITIONS)?;
            Some((name.into(), entry.value))
        });
        let more = options.serving.kinds.iter().map(|kind| Arc::new(served(kind)));
        let environment: Arc<dyn Environment> = environment.into();
        let serving = Serving {
            release: options.serving.release,
            gates: options.serving.gates,
            conversions: Conversions {
                caller: options.webhooks.caller.clone(),
                observer: options.webhooks.observer.clone(),
                environment: Arc::clone(&environment),
            },
            in_code: options.serving.in_code.clone().into(),
        };
        let release = options.serving.release;
        let own = own(release)
            .iter()
            .filter(|kind| options.serving.serves(kind))
            .cloned();
        let catalog = Catalog::new(own.chain(more), definitions, &serving);
        unless_full(bootstrap::create(&*store, &*environment, &options))?;
        let pages = Pages::new(environment.now(), release, options.pages);
        let core = Core {
            access: Access::new(Arc::clone(&store))
                .with_modes(&options.authorization)
                .with_authorizer(options.authorizer),
            tokens: options.tokens,
            judges: Judges {
                webhooks: Followed::starting_with(Webhooks::of(release), Arc::clone(&store)),
                policies: Followed::starting_with(Policies::of(release), Arc::clone(&store)),
                fixed: webhook::fixed(&options.admission.files, release),
                plugins: options.admission.plugins,
            },
            webhooks: options.webhooks,
            writes: options.writes,
            services: Services::new(Arc::clone(&store), options.services),
            release,
            registered: Followed::new(Arc::clone(&store)),
            store,
            environment,
            events: Arc::default(),
            catalog: Current::new(catalog),
            has_initial_events: !options.serving.has_no_initial_events,
            probe: options.host.probe,
        };
        let api = Api {
            core,
            pages,
            turns: Turns::default(),
            host: options.host,
            checks_policies: options.admission.checks_policies,
        };
        api.follower().settle_all();
        let server = (&*api.core.store, &*api.core.environment);
        unless_full(api_services::register_all(server, &api.core.catalog()))?;
        unless_full(api.follower().addresses().follow_services())?;
        api.follower().check_registrations();
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

    /// Whether a request is answered at once after [`Api::catch_up`]: it reads one object.
    #[must_use]
    pub fn only_catches_up(&self, info: &RequestInfo) -> bool {
        let is_get = info.is_resource && info.verb == "get" && matches!(&*info.subresource, "" | "status");
        let catalog = self.catalog();
        let served = catalog.find(&info.group, &info.version, &info.resource);
        is_get
            && self.core.store.is_remote()
            && served.is_some_and(|served| served.resource.is_stored() && !served.resource.may_wait())
    }

    /// Waits until what the store has in memory is as new as everything that was written before.
    ///
    /// # Errors
    ///
    /// If the store does not say so in time.
    pub async fn catch_up(&self) -> Result<(), Error> {
        match self.core.store.caught_up() {
            Some(caught_up) => caught_up.await,
            None => Ok(()),
        }
    }

    /// Answers a request.
    #[must_use]
    pub fn handle(&self, request: &Request<'_>, info: &RequestInfo) -> Response {
        match self.authorize(request, info) {
            Ok(authorized) => self.answer(request, info, &authorized).0,
            Err(refusal) => refusal,
        }
    }

    /// The answer to a request whose credentials are wrong, in the form that it asks for.
    #[must_use]
    pub fn unauthorized(request: &Request<'_>) -> Response {
        let status = Status {
            code: 401,
            reason: "Unauthorized".into(),
            message: "Unauthorized".to_owned(),
            details: None,
        };
        negotiate::error(request, &Query::parse(request.query), &status)
    }

    /// Whether [`Api::authorize`] takes no time, unless another user is impersonated.
    #[must_use]
    pub fn authorizes_at_once(&self, user: &User) -> bool {
        self.core.access.decides_at_once(user)
    }

    /// Decides whether a request is answered at all. Its body is not needed for that.
    ///
    /// # Errors
    ///
    /// The answer to a request that is not.
    pub fn authorize(&self, request: &Request<'_>, info: &RequestInfo) -> Result<Authorized, Response> {
        let query = Query::parse(request.query);
        let refused = |status: Status| negotiate::error(request, &query, &status);
        check_timeout(info, &query).map_err(refused)?;
        let release = self.pages.release();
        let wanted = access::wanted(request, release).map_err(|status| {
            if release.has(Behavior::BadImpersonation) {
                refused(status)
            } else {
                status_response::server_error(request, &status.message)
            }
        })?;
        let user = match wanted {
            Some(wanted) => {
                let attributes = Attributes::of(request.user, info);
                let user = self.core.access.impersonate(&attributes, &wanted, release);
                Some(user.map_err(refused)?)
            }
            None => None,
        };
        let attributes = Attributes::of(user.as_ref().unwrap_or(request.user), info);
        self.core.access.check(&attributes).map_err(refused)?;
        Ok(Authorized {
            user,
            ..Authorized::of(query)
        })
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
        let answered = if info.is_resource {
            route::answer((&self.core, self), &acting, info, authorized, &notes)
        } else {
            paths::answer(&self.core, &self.pages, &acting, query)
        };
        let response = answered.unwrap_or_else(|status| negotiate::error(request, query, &status));
        let response = status_response::with_warnings(response, notes.warnings.take());
        (response, notes.annotations.take())
    }

    /// Which errors of tags count, and how often they differed from hand-written rules.
    #[must_use]
    pub fn declarative(&self) -> &kindsmith_request::Declarative {
        &self.core.writes.declarative
    }

    /// The current catalog.
    #[must_use]
    pub fn catalog(&self) -> Arc<Catalog> {
        self.core.catalog()
    }

    /// Group, resource and number of objects of everything that is stored, sorted; nothing for a store on another machine, which
    /// would be asked once for each resource.
    #[must_use]
    pub fn stored_objects(&self) -> Vec<(String, String, u64)> {
        self.catalog().stored_objects(&*self.core.store)
    }

    /// A client as a component that may do everything; its `agent` owns the fields that it sets.
    #[must_use]
    pub fn client(&self, user: &str, agent: &'static str) -> Loopback<'_> {
        Loopback::new(self, user, agent)
    }

    /// Creates the namespaces of the system and the service of the server again, if somebody deleted them.
    ///
    /// # Errors
    ///
    /// If the store cannot be read or written.
    pub fn restore(&self) -> Result<(), Error> {
        let own = (&self.host, self.core.services.ranges());
        bootstrap::restore(&*self.core.store, &*self.core.environment, own)?;
        self.follower().addresses().follow_service(bootstrap::OWN_SERVICE)
    }

    /// Renews the lease of this server, if it has one.
    ///
    /// # Errors
    ///
    /// If the store cannot be read or written.
    pub fn renew_lease(&self) -> Result<(), Error> {
        bootstrap::renew_lease(&*self.core.store, &*self.core.environment, &self.host)
    }

    /// Publishes the CA of client certificates, as PEM; one that another server published stays beside it.
    ///
    /// # Errors
    ///
    /// If the store cannot be read or written.
    pub fn publish_client_authority(&self, authority: &str) -> Result<(), Error> {
        let published =
            bootstrap::publish_client_authority(&*self.core.store, &*self.core.environment, authority);
        unless_full(published)
    }

    /// The service account of a token.
    #[must_use]
    pub fn service_account(&self, token: &str) -> Option<User> {
        let known = self.core.tokens()?.check(token, &[]).ok().flatten();
        known.map(|known| known.user)
    }

    /// A token of a service account for a Secret; `None` if nobody signs tokens.
    #[must_use]
    pub fn secret_token(&self, namespace: &str, account: (&str, &str), secret: &str) -> Option<String> {
        self.core.tokens()?.for_secret(namespace, account, secret)
    }

    /// The key prefix of CRDs. A server that shares its store with others watches it.
    #[must_use]
    pub fn definitions() -> &'static [u8] {
        DEFINITIONS.as_bytes()
    }

    /// Takes over a CRD change made by another server: an event of a watch on [`Api::definitions`].
    pub fn refresh(&self, event: &Event) {
        self.follower().refresh(event);
    }

    fn follower(&self) -> Follower<'_> {
        Follower {
            core: &self.core,
            above: self,
            turns: &self.turns,
            checks_policies: self.checks_policies,
        }
    }
}

impl Above for Api {
    fn request(&self, request: &Request<'_>) -> Answer {
        let response = self.handle(request, &self.info(request));
        Answer {
            status: response.status,
            body: String::from_utf8_lossy(&response.content.into_bytes()).into_owned(),
        }
    }

    fn follow(&self, served: &Served, namespace: &str, name: &str, created: Option<Created<'_>>) {
        self.follower().wrote(served, namespace, name, created);
    }
}

/// A store without room is served all the same: it can be read, and deletions make room.
fn unless_full(result: Result<(), Error>) -> Result<(), Error> {
    match result {
        Err(Error::Full(_)) => Ok(()),
        result => result,
    }
}

/// Rejects an invalid time limit (`parseTimeout` in apiserver's pkg/endpoints/filters/request_deadline.go). How long
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
