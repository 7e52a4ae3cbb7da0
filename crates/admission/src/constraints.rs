//! Which requests a webhook or policy applies to, before its match conditions are evaluated
//! (`Webhook.ShouldCallHook` and `Matcher.Matches` in apiserver's pkg/admission/plugin/webhook/generic and
//! pkg/admission/plugin/policy/matching).

use kindsmith_json::Value;
use kindsmith_object::LabelSelector;
use kindsmith_object::label_selector::labels;
use kindsmith_request::{AdmissionOperation, Status};

use crate::invocation::{Invocation, Versioned};
use crate::request_rule::Rule;
use crate::{Attributes, Gvr, Host, MatchPolicy};

/// Rules and selectors.
#[derive(Debug, Clone)]
pub(crate) struct Constraints {
    rules: Vec<Rule>,
    excluded: Vec<Rule>,
    match_policy: MatchPolicy,
    namespaces: LabelSelector,
    objects: LabelSelector,
    /// Whether no rules mean all requests, as in bindings.
    is_open: bool,
}

impl Constraints {
    /// Reads the rules and selectors of a webhook.
    pub(crate) fn of_webhook(webhook: Value<'_>) -> Self {
        Constraints::read(webhook, "rules")
    }

    /// Reads a `MatchResources`.
    pub(crate) fn of_policy(resources: Value<'_>) -> Self {
        Constraints {
            is_open: true,
            ..Constraints::read(resources, "resourceRules")
        }
    }

    fn read(value: Value<'_>, rules: &str) -> Self {
        let list = |key: &str| {
            let items = value.get(key).and_then(Value::as_array).unwrap_or_default();
            items.iter().map(|&rule| Rule::read(rule)).collect()
        };
        let selector = |key: &str| LabelSelector::read(value.get(key).unwrap_or_default());
        Constraints {
            rules: list(rules),
            excluded: list("excludeResourceRules"),
            match_policy: match value.get("matchPolicy").and_then(Value::as_str) {
                Some("Exact") => MatchPolicy::Exact,
                _ => MatchPolicy::Equivalent,
            },
            namespaces: selector("namespaceSelector"),
            objects: selector("objectSelector"),
            is_open: false,
        }
    }

    /// The resource and kind under which this applies to a request; `None` if it does not.
    pub(crate) fn matched<'a>(
        &self,
        host: &dyn Host<'a>,
        attributes: &Attributes<'a>,
        shown: &Versioned<'a>,
    ) -> Result<Option<Invocation>, Status> {
        let in_namespace = self.has_namespace(host, attributes, shown);
        if matches!(in_namespace, Ok(false)) || !self.has_object(shown) {
            return Ok(None);
        }
        if self.invocation(&self.excluded, host, attributes).is_some() {
            return Ok(None);
        }
        let found = if self.is_open && self.rules.is_empty() {
            Some(Invocation::of(attributes))
        } else {
            self.invocation(&self.rules, host, attributes)
        };
        match found {
            // An unknown namespace only matters if everything else matches.
            Some(_) => in_namespace.map(|_| found),
            None => Ok(None),
        }
    }

    /// The rule that matches, in the version of the request if there is one.
    fn invocation(
        &self,
        rules: &[Rule],
        host: &dyn Host<'_>,
        attributes: &Attributes<'_>,
    ) -> Option<Invocation> {
        let matches = |rule: &Rule, resource: &Gvr| rule.matches(attributes, resource);
        if rules.iter().any(|rule| matches(rule, &attributes.resource)) {
            return Some(Invocation::of(attributes));
        }
        if rules.is_empty() || self.match_policy == MatchPolicy::Exact {
            return None;
        }
        let others = host.equivalents();
        let found = rules
            .iter()
            .find_map(|rule| others.iter().find(|other| matches(rule, &other.resource)))?;
        Some(Invocation {
            resource: found.resource.clone(),
            kind: found.kind.clone(),
        })
    }

    /// Cluster-scoped objects always match; a `Namespace` is matched by its own new labels.
    fn has_namespace<'a>(
        &self,
        host: &dyn Host<'a>,
        attributes: &Attributes<'a>,
        shown: &Versioned<'a>,
    ) -> Result<bool, Status> {
        let selector = &self.namespaces;
        if selector.is_empty() || (attributes.namespace.is_empty() && !attributes.is_namespace()) {
            return Ok(true);
        }
        let is_written =
            attributes.operation != AdmissionOperation::Delete && attributes.subresource.is_empty();
        let found = match shown.object {
            Some(object) if attributes.is_namespace() && is_written => labels(object),
            _ => host.namespace_labels(&attributes.namespace)?,
        };
        Ok(selector.matches(found))
    }

    fn has_object(&self, shown: &Versioned<'_>) -> bool {
        // Only objects have labels; the options of a connection do not.
        let matches =
            |object: &Value<'_>| object.get("metadata").is_some() && self.objects.matches(labels(*object));
        self.objects.is_empty() || shown.object.iter().chain(&shown.old).any(matches)
    }
}
