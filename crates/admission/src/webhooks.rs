//! All webhooks of a cluster, in call order: by the name of their configuration, then by their position in it.

use std::collections::BTreeMap;
use std::sync::Arc;

use kindsmith_cel::dialect::Dialect;
use kindsmith_json::{Arena, Value};
use kindsmith_object::{Release, StorePrefix, store_key};

use crate::Webhook;

/// Where webhook configurations are stored.
pub const PREFIXES: [StorePrefix<&str>; 2] = [store_key::MUTATING_WEBHOOKS, store_key::VALIDATING_WEBHOOKS];

/// All webhooks.
#[derive(Debug, Clone)]
pub struct Webhooks {
    /// The dialect of their conditions.
    dialect: Dialect,
    mutating: BTreeMap<String, Arc<[Webhook]>>,
    validating: BTreeMap<String, Arc<[Webhook]>>,
}

impl Webhooks {
    /// None yet, of a cluster of a release.
    #[must_use]
    pub fn of(release: Release) -> Self {
        Webhooks {
            dialect: Dialect::of_release(release.number()).stored(),
            mutating: BTreeMap::new(),
            validating: BTreeMap::new(),
        }
    }

    /// Takes over a stored configuration; `None` if it was deleted.
    pub fn set(&mut self, key: &[u8], value: Option<&[u8]>) {
        let key = String::from_utf8_lossy(key);
        let (configurations, name) = if let Some(name) = key.strip_prefix(&*store_key::MUTATING_WEBHOOKS) {
            (&mut self.mutating, name)
        } else if let Some(name) = key.strip_prefix(&*store_key::VALIDATING_WEBHOOKS) {
            (&mut self.validating, name)
        } else {
            return;
        };
        match value {
            Some(value) => configurations.insert(name.to_owned(), read(value, name, self.dialect)),
            None => configurations.remove(name),
        };
    }

    /// The mutating webhooks.
    pub fn mutating(&self) -> impl Iterator<Item = &Webhook> {
        self.mutating.values().flat_map(|webhooks| webhooks.iter())
    }

    /// The validating webhooks.
    pub fn validating(&self) -> impl Iterator<Item = &Webhook> {
        self.validating.values().flat_map(|webhooks| webhooks.iter())
    }
}

fn read(bytes: &[u8], name: &str, dialect: Dialect) -> Arc<[Webhook]> {
    let arena = Arena::new();
    let configuration = kindsmith_json::parse(&arena, bytes).unwrap_or_default();
    let webhooks = configuration.get("webhooks").and_then(Value::as_array);
    webhooks
        .unwrap_or_default()
        .iter()
        .map(|&webhook| Webhook::read(webhook, name, dialect))
        .collect()
}
