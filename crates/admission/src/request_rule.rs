//! Rules of webhooks and policies: operations and resources (`rules.Matcher` in apiserver's
//! pkg/admission/plugin/webhook/predicates/rules).

use kindsmith_json::Value;

use crate::{Attributes, Gvr};

/// One rule.
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    operations: Vec<String>,
    groups: Vec<String>,
    versions: Vec<String>,
    resources: Vec<String>,
    /// Names of objects; empty for all. Only policies have them.
    names: Vec<String>,
    scope: Scope,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    All,
    Cluster,
    Namespaced,
}

impl Rule {
    pub(crate) fn read(rule: Value<'_>) -> Self {
        let list = |key: &str| {
            let items = rule.get(key).and_then(Value::as_array).unwrap_or_default().iter();
            items
                .filter_map(|item| item.as_str())
                .map(str::to_owned)
                .collect()
        };
        Rule {
            operations: list("operations"),
            groups: list("apiGroups"),
            versions: list("apiVersions"),
            resources: list("resources"),
            names: list("resourceNames"),
            scope: match rule.get("scope").and_then(Value::as_str) {
                Some("Cluster") => Scope::Cluster,
                Some("Namespaced") => Scope::Namespaced,
                _ => Scope::All,
            },
        }
    }

    /// Whether it matches a request, as if it were a request on this resource.
    pub(crate) fn matches(&self, attributes: &Attributes<'_>, resource: &Gvr) -> bool {
        has(&self.operations, attributes.operation.name())
            && has(&self.groups, &resource.group)
            && has(&self.versions, &resource.version)
            && self.has_scope(attributes)
            && self.has_resource(&resource.resource, &attributes.subresource)
            && (self.names.is_empty() || self.names.contains(&attributes.name))
    }

    fn has_scope(&self, attributes: &Attributes<'_>) -> bool {
        let is_cluster = attributes.is_namespace() || attributes.namespace.is_empty();
        match self.scope {
            Scope::All => true,
            Scope::Cluster => is_cluster,
            Scope::Namespaced => !is_cluster,
        }
    }

    fn has_resource(&self, resource: &str, subresource: &str) -> bool {
        self.resources.iter().any(|pattern| {
            let (wanted, part) = pattern.split_once('/').unwrap_or((pattern, ""));
            let is_resource = wanted == "*" || wanted == resource;
            is_resource && (part == "*" || part == subresource)
        })
    }
}

fn has(list: &[String], word: &str) -> bool {
    list.iter().any(|item| item == "*" || item == word)
}
