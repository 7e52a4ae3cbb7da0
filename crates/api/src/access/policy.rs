//! Stored roles and bindings, and the rules they give to a user
//! (`VisitRulesFor` in pkg/registry/rbac/validation/rule.go).

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use kindsmith_gostd::quote::quote;
use kindsmith_json::{Arena, Entry, Object, Value};
use kindsmith_object::{LabelSelector, StorePrefix, store_key, well_known};
use kindsmith_request::aggregate;

use super::role_rule::Rule;
use super::{Attributes, Decision, GROUP};
use crate::User;

/// The key prefixes of roles and bindings.
pub(super) const PREFIXES: [StorePrefix<&str>; 4] = [
    store_key::CLUSTER_ROLES,
    store_key::CLUSTER_ROLE_BINDINGS,
    store_key::ROLES,
    store_key::ROLE_BINDINGS,
];

/// All roles and bindings by namespace; those of the cluster are under the empty name.
#[derive(Debug, Clone, Default)]
pub(super) struct Policy {
    roles: Named<Role>,
    bindings: Named<Binding>,
}

/// Values by namespace and name.
type Named<T> = BTreeMap<String, BTreeMap<String, Arc<T>>>;

#[derive(Debug, Default)]
struct Role {
    rules: Vec<Rule>,
    labels: Vec<(String, String)>,
    /// Which other roles of the cluster it joins.
    joins: Vec<LabelSelector>,
}

#[derive(Debug, Default)]
struct Binding {
    role_kind: String,
    role_name: String,
    subjects: Vec<Subject>,
}

#[derive(Debug, Default)]
struct Subject {
    kind: String,
    name: String,
    namespace: String,
}

/// A role that a binding gives to a user.
struct Grant<'p> {
    namespace: &'p str,
    name: &'p str,
    binding: &'p Binding,
    subject: &'p Subject,
}

impl Policy {
    /// Takes over the object under a key; `None` if it was deleted.
    pub(super) fn set(&mut self, key: &[u8], value: Option<&[u8]>) {
        let Ok(key) = std::str::from_utf8(key) else { return };
        let rest = |prefix: usize| key.strip_prefix(&*PREFIXES[prefix]);
        let in_namespace = |prefix| rest(prefix).and_then(|rest| rest.split_once('/'));
        let arena = Arena::new();
        let value = value.map(|bytes| kindsmith_json::parse(&arena, bytes).unwrap_or_default());
        if let Some((namespace, name)) = rest(0).map(|name| ("", name)).or_else(|| in_namespace(2)) {
            put(&mut self.roles, namespace, name, value.map(Role::read));
        } else if let Some((namespace, name)) = rest(1).map(|name| ("", name)).or_else(|| in_namespace(3)) {
            put(&mut self.bindings, namespace, name, value.map(Binding::read));
        }
    }

    /// Decides whether this is allowed.
    pub(super) fn decide(&self, wanted: &Attributes<'_>) -> Decision {
        let mut problems = Vec::new();
        for grant in self.grants(wanted.user, wanted.namespace) {
            match self.rules_of(&grant) {
                Ok(rules) if rules.iter().any(|rule| rule.allows(wanted)) => {
                    return Decision {
                        is_allowed: true,
                        reason: format!("RBAC: allowed by {}", grant.describe()),
                    };
                }
                Ok(_) => {}
                Err(problem) => problems.push(problem),
            }
        }
        Decision {
            is_allowed: false,
            reason: if problems.is_empty() {
                String::new()
            } else {
                format!("RBAC: {}", aggregate(problems))
            },
        }
    }

    /// All rules of a user in a namespace, and the errors met while collecting them.
    pub(super) fn rules_for(&self, user: &User, namespace: &str) -> (Vec<Rule>, Vec<String>) {
        let (mut rules, mut problems) = (Vec::new(), Vec::new());
        for grant in self.grants(user, namespace) {
            match self.rules_of(&grant) {
                Ok(found) => rules.extend(found.iter().cloned()),
                Err(problem) => problems.push(problem),
            }
        }
        (rules, problems)
    }

    /// The rules of a role and of the roles that it aggregates; empty for an unknown role.
    ///
    /// In a cluster a controller writes joined rules into the role. Here they count without one, so that `admin`, `edit`
    /// and `view` work in a server that has no controllers.
    pub(super) fn role(&self, kind: &str, name: &str, namespace: &str) -> Option<Cow<'_, [Rule]>> {
        let namespace = if kind == "ClusterRole" { "" } else { namespace };
        let role = self.roles.get(namespace)?.get(name)?;
        if role.joins.is_empty() {
            return Some(Cow::Borrowed(&role.rules));
        }
        let (mut rules, mut seen) = (Vec::new(), BTreeSet::from([name]));
        self.join(role, &mut rules, &mut seen);
        Some(Cow::Owned(rules))
    }

    fn join<'p>(&'p self, role: &Role, rules: &mut Vec<Rule>, seen: &mut BTreeSet<&'p str>) {
        rules.extend(role.rules.iter().cloned());
        if role.joins.is_empty() {
            return;
        }
        for (name, other) in self.roles.get("").into_iter().flatten() {
            if other.is_joined_by(role) && seen.insert(name) {
                self.join(other, rules, seen);
            }
        }
    }

    fn rules_of(&self, grant: &Grant<'_>) -> Result<Cow<'_, [Rule]>, String> {
        let (kind, name) = (&grant.binding.role_kind, &grant.binding.role_name);
        self.role(kind, name, grant.namespace)
            .ok_or_else(|| format!("{}.{GROUP} {} not found", kind.to_lowercase(), quote(name)))
    }

    /// What bindings give to a user: those of the cluster first, then those of the namespace.
    fn grants<'p>(&'p self, user: &'p User, namespace: &'p str) -> impl Iterator<Item = Grant<'p>> {
        let local = (!namespace.is_empty()).then_some(namespace);
        ["" as &str].into_iter().chain(local).flat_map(move |namespace| {
            let bindings = self.bindings.get_key_value(namespace).into_iter();
            bindings.flat_map(move |(namespace, bindings)| {
                bindings.iter().filter_map(move |(name, binding)| {
                    let subject = binding.subject(user, namespace)?;
                    Some(Grant {
                        namespace,
                        name,
                        binding,
                        subject,
                    })
                })
            })
        })
    }
}

fn put<T>(all: &mut Named<T>, namespace: &str, name: &str, value: Option<T>) {
    let here = all.entry(namespace.to_owned()).or_default();
    match value {
        Some(value) => here.insert(name.to_owned(), Arc::new(value)),
        None => here.remove(name),
    };
}

impl Role {
    fn read(value: Value<'_>) -> Role {
        let labels = value.lookup(&["metadata", "labels"]).and_then(Value::as_object);
        let labels = labels.unwrap_or_default();
        let joins = value.lookup(&["aggregationRule", "clusterRoleSelectors"]);
        let joins = joins.and_then(Value::as_array).unwrap_or_default();
        let text = |value: Value<'_>| value.as_str().unwrap_or_default().to_owned();
        Role {
            rules: Rule::all(value),
            labels: labels
                .iter()
                .map(|(key, value)| (key.to_owned(), text(value)))
                .collect(),
            joins: joins
                .iter()
                .map(|&selector| LabelSelector::read(selector))
                .collect(),
        }
    }

    fn is_joined_by(&self, other: &Role) -> bool {
        let arena = Arena::new();
        let entries: Vec<Entry<'_>> = self
            .labels
            .iter()
            .map(|(key, value)| Entry {
                key,
                value: Value::Str(value),
            })
            .collect();
        let labels = Object::from_entries(&arena, &entries);
        other.joins.iter().any(|selector| selector.matches(labels))
    }
}

impl Binding {
    fn read(value: Value<'_>) -> Binding {
        let subjects = value
            .get("subjects")
            .and_then(Value::as_array)
            .unwrap_or_default();
        Binding {
            role_kind: value.text(&["roleRef", "kind"]).to_owned(),
            role_name: value.text(&["roleRef", "name"]).to_owned(),
            subjects: subjects
                .iter()
                .map(|subject| Subject {
                    kind: subject.text("kind").to_owned(),
                    name: subject.text("name").to_owned(),
                    namespace: subject.text("namespace").to_owned(),
                })
                .collect(),
        }
    }

    /// The first subject that matches the user.
    fn subject(&self, user: &User, namespace: &str) -> Option<&Subject> {
        self.subjects.iter().find(|subject| subject.is(user, namespace))
    }
}

impl Subject {
    fn is(&self, user: &User, namespace: &str) -> bool {
        match self.kind.as_str() {
            "User" => user.name == self.name,
            "Group" => user.groups.contains(&self.name),
            "ServiceAccount" => {
                let namespace = self.namespace_or(namespace);
                !namespace.is_empty()
                    && well_known::user::is_service_account(&user.name, namespace, &self.name)
            }
            _ => false,
        }
    }

    fn namespace_or<'s>(&'s self, namespace: &'s str) -> &'s str {
        match self.namespace.as_str() {
            "" => namespace,
            own => own,
        }
    }
}

impl Grant<'_> {
    /// The binding and role as access reviews report them.
    fn describe(&self) -> String {
        let binding = match self.namespace {
            "" => format!("ClusterRoleBinding {}", quote(self.name)),
            namespace => format!("RoleBinding {}", quote(&format!("{}/{namespace}", self.name))),
        };
        let subject = match self.subject.kind.as_str() {
            "ServiceAccount" => {
                let namespace = self.subject.namespace_or(self.namespace);
                format!("{}/{namespace}", self.subject.name)
            }
            _ => self.subject.name.clone(),
        };
        format!(
            "{binding} of {} {} to {} {}",
            self.binding.role_kind,
            quote(&self.binding.role_name),
            self.subject.kind,
            quote(&subject)
        )
    }
}
