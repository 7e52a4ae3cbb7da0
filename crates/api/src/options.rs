//! How the API behaves: one struct for each part that uses it.

use std::net::SocketAddr;
use std::sync::Arc;

use kindsmith_admission::{Caller, Observer};
use kindsmith_crd::definition::Gates;
use kindsmith_object::Release;
use kindsmith_object::well_known::service;
use kindsmith_request::Declarative;

use crate::{Authenticator, AuthorizationMode, Authorizer, Plugins, TokenSigner};

/// How the API behaves.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// What is served.
    pub serving: Serving,
    /// Authorizers; without any, roles and bindings decide.
    pub authorization: Vec<AuthorizationMode>,
    /// An authorizer to use instead, such as the API server that forwards requests to this one.
    pub authorizer: Option<Arc<dyn Authorizer>>,
    /// Tokens of clients and service accounts.
    pub tokens: Tokens,
    /// What judges writes.
    pub admission: Admission,
    /// The client for webhooks.
    pub webhooks: Webhooks,
    /// What writes do.
    pub writes: Writes,
    /// What services may get.
    pub services: Services,
    /// The machine of the server.
    pub host: Host,
    /// Paths that are not resources.
    pub pages: Pages,
}

/// What is served.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Serving {
    /// The release of Kubernetes whose kinds are served and whose rules hold.
    pub release: Release,
    /// Kinds to serve besides the built-in ones.
    pub kinds: Vec<Arc<kindsmith_builtin::Kind>>,
    /// Feature gates for CRDs and custom resources.
    pub gates: Gates,
    /// What the program decides in code about custom resources: group, kind, rules and conversions.
    pub in_code: Vec<(String, String, kindsmith_crd::InCode)>,
    /// Versions of the server's own kinds that are not served, as `group/version`; `v1` is the core group's.
    pub disabled_versions: Vec<String>,
    /// Whether watches cannot start with the existing objects (`WatchList` is off).
    pub has_no_initial_events: bool,
}

impl Serving {
    /// Whether a version of the server's own kinds is served.
    pub(crate) fn serves(&self, served: &crate::Served) -> bool {
        let version = match &*served.group {
            "" => served.version.to_string(),
            group => format!("{group}/{}", served.version),
        };
        !self.disabled_versions.contains(&version)
    }
}

/// Tokens of clients and service accounts.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Tokens {
    /// Authenticates the tokens of `TokenReview`s.
    pub authenticator: Option<Arc<dyn Authenticator>>,
    /// Signs tokens of service accounts.
    pub signer: Option<Arc<dyn TokenSigner>>,
}

/// What judges writes.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Admission {
    /// Which admission plugins are on.
    pub plugins: Plugins,
    /// Webhook configurations, policies and bindings that come from files: each under the key it would be stored at.
    pub files: Vec<(String, Vec<u8>)>,
    /// Whether expressions of stored validating policies are checked against the kinds they match.
    pub checks_policies: bool,
}

impl Default for Admission {
    fn default() -> Self {
        Admission {
            plugins: Plugins::without_controllers(),
            files: Vec::new(),
            checks_policies: false,
        }
    }
}

/// The client for webhooks.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Webhooks {
    /// Calls webhooks; without it, every call fails.
    pub caller: Option<Arc<dyn Caller>>,
    /// Observes webhook calls, for metrics.
    pub observer: Option<Arc<dyn Observer>>,
}

/// What writes do.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Writes {
    /// Which errors of tags count, and how often they differ from hand-written rules.
    pub declarative: Arc<Declarative>,
    /// Whether containers may be privileged.
    pub allow_privileged: bool,
    /// How long events are kept, in seconds, if not as their kind says.
    pub event_ttl_seconds: Option<u64>,
}

impl Default for Writes {
    fn default() -> Self {
        Writes {
            declarative: Arc::default(),
            allow_privileged: true,
            event_ttl_seconds: None,
        }
    }
}

/// What services may get.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Services {
    /// The ranges of cluster IPs, at most one for each family; the first one is that of the default family.
    pub ranges: Vec<String>,
    /// The first and the last node port.
    pub node_ports: (u16, u16),
}

impl Default for Services {
    fn default() -> Self {
        Services {
            ranges: vec![service::ADDRESSES.to_owned()],
            node_ports: service::NODE_PORTS,
        }
    }
}

/// The machine of the server.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Host {
    /// Its name, for the lease of the server; a server without one has no lease.
    pub name: Option<String>,
    /// Where clients inside a cluster reach the server: the endpoint of the service `default/kubernetes`.
    pub endpoint: Option<SocketAddr>,
    /// Whether a component listens at an address; if not, why, as Go words it. For `componentstatuses`.
    pub probe: Option<fn(SocketAddr) -> Result<(), String>>,
}

/// Paths that are not resources.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Pages {
    /// What the server was started with, by the names of its flags; for `/flagz`.
    pub flags: Vec<(String, String)>,
    /// Which definitions of `/openapi/v2` publish their defaults.
    pub v2_defaults: PublishedDefaults,
}

/// Which definitions publish their defaults. The texts of KEP-1929 disagree; Kubernetes publishes none in version 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PublishedDefaults {
    /// None, as Kubernetes does.
    #[default]
    None,
    /// Those of custom resources.
    CustomResources,
    /// All.
    All,
}
