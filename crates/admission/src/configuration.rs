//! Webhooks from their configurations (`MutatingWebhookConfiguration`, `ValidatingWebhookConfiguration`). Stored
//! configurations are valid and have their defaults.

use std::time::Duration;

use kindsmith_cel::dialect::Dialect;
use kindsmith_cel::policy::Scope;
use kindsmith_json::Value;

use crate::constraints::Constraints;
use crate::match_condition::MatchCondition;
use crate::setting::{ClientConfig, FailurePolicy, ReviewVersion, text};

/// One webhook.
#[derive(Debug, Clone)]
pub struct Webhook {
    /// The name of its configuration.
    pub(crate) configuration: String,
    /// Its name.
    pub name: String,
    /// Its address.
    pub client: ClientConfig,
    /// Its rules and selectors.
    pub(crate) constraints: Constraints,
    /// Its failure policy.
    pub failure_policy: FailurePolicy,
    /// Its match conditions.
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

impl Webhook {
    /// Reads an item of `webhooks`.
    pub(crate) fn read(value: Value<'_>, configuration: &str, dialect: Dialect) -> Self {
        let is = |key: &str, word: &str| value.get(key).and_then(Value::as_str) == Some(word);
        let items = |key: &str| {
            value
                .get(key)
                .and_then(Value::as_array)
                .unwrap_or_default()
                .iter()
        };
        let scope = Scope {
            dialect,
            ..Scope::default()
        };
        let seconds = value.get("timeoutSeconds").and_then(Value::as_u64).unwrap_or(10);
        let mut versions = items("admissionReviewVersions").filter_map(|version| version.as_str());
        Webhook {
            configuration: configuration.to_owned(),
            name: text(value, "name"),
            client: ClientConfig::read(value.get("clientConfig").unwrap_or_default()),
            constraints: Constraints::of_webhook(value),
            failure_policy: FailurePolicy::read(value),
            match_conditions: items("matchConditions")
                .map(|&condition| MatchCondition::read(condition, &scope))
                .collect(),
            allows_dry_run: is("sideEffects", "None") || is("sideEffects", "NoneOnDryRun"),
            timeout: Duration::from_secs(seconds),
            review_version: versions.find_map(ReviewVersion::named),
            is_reinvoked: is("reinvocationPolicy", "IfNeeded"),
        }
    }
}
