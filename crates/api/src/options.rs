//! How the API behaves.

use std::sync::Arc;

use crate::Authenticator;

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
    /// Versions of the server's own kinds that are not served, as `group/version`; `v1` is the core group's.
    pub disabled_versions: Vec<String>,
    /// The ranges of cluster IPs, at most one for each family; the first one is that of the default family.
    pub service_ranges: Vec<String>,
    /// The first and the last node port.
    pub node_ports: (u16, u16),
    /// Where clients inside a cluster reach the server: the endpoint of the service `default/kubernetes`.
    pub endpoint: Option<std::net::SocketAddr>,
    /// Which definitions of `/openapi/v2` publish their defaults.
    pub v2_defaults: PublishedDefaults,
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
            disabled_versions: Vec::new(),
            service_ranges: vec!["10.96.0.0/12".to_owned()],
            node_ports: (30000, 32767),
            endpoint: None,
            v2_defaults: PublishedDefaults::None,
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
    /// Whether a version of the server's own kinds is served.
    pub(crate) fn serves(&self, served: &crate::Served) -> bool {
        let version = match &*served.group {
            "" => served.version.to_string(),
            group => format!("{group}/{}", served.version),
        };
        !self.disabled_versions.contains(&version)
    }
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
