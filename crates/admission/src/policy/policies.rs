//! All policies and bindings of a cluster, by name.

use std::collections::BTreeMap;
use std::sync::Arc;

use kindsmith_cel::dialect::Dialect;
use kindsmith_json::Arena;
use kindsmith_object::{Release, StorePrefix, store_key};

use super::{Binding, MutatingPolicy, ValidatingPolicy};

/// Where policies and bindings are stored.
pub const PREFIXES: [StorePrefix<&str>; 4] = [
    store_key::VALIDATING_POLICIES,
    store_key::VALIDATING_POLICY_BINDINGS,
    store_key::MUTATING_POLICIES,
    store_key::MUTATING_POLICY_BINDINGS,
];

/// All policies and bindings.
#[derive(Debug, Clone)]
pub struct Policies {
    /// The dialect of their expressions.
    dialect: Dialect,
    validating: Sort<ValidatingPolicy>,
    mutating: Sort<MutatingPolicy>,
}

#[derive(Debug)]
struct Sort<P> {
    policies: BTreeMap<String, Arc<P>>,
    /// By policy, then by name.
    bindings: BTreeMap<String, BTreeMap<String, Arc<Binding>>>,
}

impl<P> Default for Sort<P> {
    fn default() -> Self {
        Sort {
            policies: BTreeMap::new(),
            bindings: BTreeMap::new(),
        }
    }
}

impl<P> Clone for Sort<P> {
    fn clone(&self) -> Self {
        Sort {
            policies: self.policies.clone(),
            bindings: self.bindings.clone(),
        }
    }
}

/// A policy with its bindings.
pub(crate) type Hook<'p, P> = (&'p P, Vec<&'p Binding>);

impl<P> Sort<P> {
    fn hooks(&self) -> impl Iterator<Item = Hook<'_, P>> {
        self.bindings.iter().filter_map(|(policy, bindings)| {
            let policy = self.policies.get(policy)?;
            Some((&**policy, bindings.values().map(|binding| &**binding).collect()))
        })
    }

    fn bind(&mut self, name: &str, binding: Option<Binding>) {
        for bindings in self.bindings.values_mut() {
            bindings.remove(name);
        }
        if let Some(binding) = binding {
            let bindings = self.bindings.entry(binding.policy.clone()).or_default();
            bindings.insert(name.to_owned(), Arc::new(binding));
        }
        self.bindings.retain(|_, bindings| !bindings.is_empty());
    }
}

impl Policies {
    /// None yet, of a cluster of a release.
    #[must_use]
    pub fn of(release: Release) -> Self {
        Policies {
            dialect: Dialect::of_release(release.number()).stored(),
            validating: Sort::default(),
            mutating: Sort::default(),
        }
    }

    /// Stores a policy or binding; `None` if it was deleted.
    pub fn set(&mut self, key: &[u8], value: Option<&[u8]>) {
        let key = String::from_utf8_lossy(key);
        let rest = |prefix: usize| key.strip_prefix(&*PREFIXES[prefix]);
        let arena = Arena::new();
        let value = value.map(|bytes| kindsmith_json::parse(&arena, bytes).unwrap_or_default());
        if let Some(name) = rest(0) {
            let policy = value.map(|value| ValidatingPolicy::read(value, self.dialect));
            put(&mut self.validating.policies, name, policy);
        } else if let Some(name) = rest(1) {
            self.validating.bind(name, value.map(Binding::read));
        } else if let Some(name) = rest(2) {
            let policy = value.map(|value| MutatingPolicy::read(value, self.dialect));
            put(&mut self.mutating.policies, name, policy);
        } else if let Some(name) = rest(3) {
            self.mutating.bind(name, value.map(Binding::read));
        }
    }

    /// Whether there is no validating policy with a binding.
    #[must_use]
    pub fn has_no_validating(&self) -> bool {
        self.validating.bindings.is_empty() || self.validating.policies.is_empty()
    }

    /// Whether there is no mutating policy with a binding.
    #[must_use]
    pub fn has_no_mutating(&self) -> bool {
        self.mutating.bindings.is_empty() || self.mutating.policies.is_empty()
    }

    pub(crate) fn validating(&self) -> impl Iterator<Item = Hook<'_, ValidatingPolicy>> {
        self.validating.hooks()
    }

    pub(crate) fn mutating(&self) -> impl Iterator<Item = Hook<'_, MutatingPolicy>> {
        self.mutating.hooks()
    }
}

fn put<T>(all: &mut BTreeMap<String, Arc<T>>, name: &str, value: Option<T>) {
    match value {
        Some(value) => all.insert(name.to_owned(), Arc::new(value)),
        None => all.remove(name),
    };
}
