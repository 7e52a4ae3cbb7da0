//! Webhooks from their configurations (`MutatingWebhookConfiguration`, `ValidatingWebhookConfiguration`). Stored
//! configurations are valid and have their defaults.

use std::time::Duration;

use kindsmith_json::Value;

use crate::Selector;
use crate::match_condition::MatchCondition;
use crate::rule::Rule;

/// What happens to a request when its webhook cannot be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailurePolicy {
    /// It is rejected.
    Fail,
    /// It continues.
    Ignore,
}

/// Whether a rule also matches requests to other versions of its resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchPolicy {
    /// No.
    Exact,
    /// Yes; the webhook gets the version of its rule.
    Equivalent,
}

/// One webhook.
#[derive(Debug, Clone)]
pub struct Webhook {
    /// Its name.
    pub name: String,
    /// Its address.
    pub client: ClientConfig,
    /// The requests it is called for.
    pub(crate) rules: Vec<Rule>,
    /// What happens to a request when it cannot be called.
    pub failure_policy: FailurePolicy,
    /// Whether it is also called for other versions.
    pub(crate) match_policy: MatchPolicy,
    /// Selects namespaces.
    pub(crate) namespace_selector: Selector,
    /// Selects objects.
    pub(crate) object_selector: Selector,
    /// Conditions that must all hold.
    pub(crate) match_conditions: Vec<MatchCondition>,
    /// Whether it may be called for a dry run.
    pub(crate) allows_dry_run: bool,
    /// The timeout of a call.
    pub(crate) timeout: Duration,
    /// The review version: the first supported one in its list.
    pub(crate) review_version: Option<ReviewVersion>,
    /// Whether it is called again after a later webhook changed the object.
    pub(crate) is_reinvoked: bool,
}

/// A version of `AdmissionReview`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReviewVersion {
    V1,
    V1beta1,
}

impl ReviewVersion {
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

impl Webhook {
    /// Reads an item of `webhooks`.
    pub(crate) fn read(value: Value<'_>) -> Self {
        let is = |key: &str, word: &str| value.get(key).and_then(Value::as_str) == Some(word);
        let items = |key: &str| {
            value
                .get(key)
                .and_then(Value::as_array)
                .unwrap_or_default()
                .iter()
        };
        let seconds = value.get("timeoutSeconds").and_then(Value::as_u64).unwrap_or(10);
        let mut versions = items("admissionReviewVersions").filter_map(|version| version.as_str());
        Webhook {
            name: text(value, "name"),
            client: ClientConfig::read(value.get("clientConfig").unwrap_or_default()),
            rules: items("rules").map(|&rule| Rule::read(rule)).collect(),
            failure_policy: match is("failurePolicy", "Ignore") {
                true => FailurePolicy::Ignore,
                false => FailurePolicy::Fail,
            },
            match_policy: match is("matchPolicy", "Exact") {
                true => MatchPolicy::Exact,
                false => MatchPolicy::Equivalent,
            },
            namespace_selector: Selector::read(value.get("namespaceSelector").unwrap_or_default()),
            object_selector: Selector::read(value.get("objectSelector").unwrap_or_default()),
            match_conditions: items("matchConditions")
                .map(|&condition| MatchCondition::read(condition))
                .collect(),
            allows_dry_run: is("sideEffects", "None") || is("sideEffects", "NoneOnDryRun"),
            timeout: Duration::from_secs(seconds),
            review_version: versions.find_map(|version| match version {
                "v1" => Some(ReviewVersion::V1),
                "v1beta1" => Some(ReviewVersion::V1beta1),
                _ => None,
            }),
            is_reinvoked: is("reinvocationPolicy", "IfNeeded"),
        }
    }
}

pub(crate) fn text(value: Value<'_>, key: &str) -> String {
    value
        .get(key)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}
