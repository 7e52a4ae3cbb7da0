//! Single settings of webhooks and policies: where they are, which versions they know, what counts if they fail. Knows no
//! request.

use kindsmith_json::Value;

/// What happens to a request when its webhook cannot be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailurePolicy {
    /// It is rejected.
    Fail,
    /// It continues.
    Ignore,
}

impl FailurePolicy {
    /// Reads the failure policy of a webhook or policy.
    pub(crate) fn read(value: Value<'_>) -> Self {
        match value.get("failurePolicy").and_then(Value::as_str) {
            Some("Ignore") => FailurePolicy::Ignore,
            _ => FailurePolicy::Fail,
        }
    }
}

/// Whether a rule also matches requests through other versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchPolicy {
    /// No.
    Exact,
    /// Yes; the webhook gets the version of its rule.
    Equivalent,
}

/// A version of `AdmissionReview`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReviewVersion {
    V1,
    V1beta1,
}

impl ReviewVersion {
    /// The version of a name, if it is known.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "v1" => Some(ReviewVersion::V1),
            "v1beta1" => Some(ReviewVersion::V1beta1),
            _ => None,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            ReviewVersion::V1 => "v1",
            ReviewVersion::V1beta1 => "v1beta1",
        }
    }
}

/// The address of a webhook.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ClientConfig {
    /// The URL; `None` for a service.
    pub address: Option<String>,
    /// The service; `None` for a URL.
    pub service: Option<Service>,
    /// CA certificates, as base64 of PEM; empty to use those of the system.
    pub ca_bundle: String,
}

/// A service in the cluster.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Service {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// The path of the URL; empty or with a leading slash.
    pub path: String,
    /// The port.
    pub port: i64,
}

impl ClientConfig {
    /// Reads a `WebhookClientConfig`.
    #[must_use]
    pub fn read(value: Value<'_>) -> Self {
        let service = value.get("service").filter(|service| !service.is_null());
        ClientConfig {
            address: value.get("url").and_then(Value::as_str).map(str::to_owned),
            service: service.map(|service| Service {
                namespace: text(service, "namespace"),
                name: text(service, "name"),
                path: text(service, "path"),
                port: service.get("port").and_then(Value::as_i64).unwrap_or(443),
            }),
            ca_bundle: text(value, "caBundle"),
        }
    }

    /// The URL without query.
    #[must_use]
    pub fn url(&self) -> String {
        match (&self.address, &self.service) {
            (Some(address), _) => address.clone(),
            (None, Some(service)) => {
                let Service {
                    namespace,
                    name,
                    path,
                    port,
                } = service;
                format!("https://{name}.{namespace}.svc:{port}{path}")
            }
            (None, None) => String::new(),
        }
    }
}

pub(crate) fn text(value: Value<'_>, key: &str) -> String {
    value.text(key).to_owned()
}
