//! Quotas say what is used of them: their status has the limits of their spec and what all objects of the namespace use
//! (pkg/controller/resourcequota/resource_quota_controller.go).

use std::collections::BTreeSet;

use kindsmith_api::{Loopback, Verb};
use kindsmith_builtin::amounts::Amounts;
use kindsmith_builtin::quota::Evaluator;
use kindsmith_json::{Arena, Value};
use kindsmith_object::meta::Scope;

use super::Controller;
use crate::cluster::{Change, Cluster, collection, listed};

/// When to count again because pods may have ended, in seconds.
const AGAIN: i64 = 300;

/// Counts what is used.
#[derive(Default)]
pub(super) struct Quotas {
    /// Namespaces with quotas.
    counted: BTreeSet<String>,
    dirty: BTreeSet<String>,
}

impl Controller for Quotas {
    fn see(&mut self, change: &Change<'_>) {
        let place = change.place;
        if place.is("", "resourcequotas") {
            self.counted.insert(place.namespace.clone());
        }
        if self.counted.contains(&place.namespace) && place.resource != "events" {
            self.dirty.insert(place.namespace.clone());
        }
    }

    fn act(&mut self, cluster: &Cluster<'_>) -> Option<i64> {
        let client = cluster.client("resourcequota");
        for namespace in std::mem::take(&mut self.dirty) {
            let arena = Arena::new();
            let path = collection("", "v1", &namespace, "resourcequotas");
            let quotas = client.get(&path);
            let quotas = listed(&arena, &quotas);
            if quotas.is_empty() {
                self.counted.remove(&namespace);
            }
            for quota in quotas {
                count(cluster, &client, &namespace, *quota);
            }
        }
        (!self.counted.is_empty()).then_some(cluster.now + AGAIN)
    }
}

fn count(cluster: &Cluster<'_>, client: &Loopback<'_>, namespace: &str, quota: Value<'_>) {
    let hard = Amounts::of(quota.lookup(&["spec", "hard"]));
    let used = usage(cluster, client, namespace, quota, &hard);
    let said = |key: &str| Amounts::of(quota.lookup(&["status", key]));
    if said("hard") == hard && said("used") == used {
        return;
    }
    let arena = Arena::new();
    let mut quota = quota.copy_in(&arena);
    quota.set(&arena, &["status", "hard"], hard.to_value(&arena));
    quota.set(&arena, &["status", "used"], used.to_value(&arena));
    let name = quota.text(&["metadata", "name"]);
    let path = collection("", "v1", namespace, "resourcequotas");
    // A change meanwhile causes another count.
    let _ = client.put(&format!("{path}/{name}/status"), quota);
}

/// What the objects of a namespace use of the resources that a quota names.
fn usage(
    cluster: &Cluster<'_>,
    client: &Loopback<'_>,
    namespace: &str,
    quota: Value<'_>,
    hard: &Amounts,
) -> Amounts {
    let mut used = Amounts::default();
    let names = || hard.0.keys().map(String::as_str);
    for served in &cluster.catalog.served {
        let is_counted = served.scope == Scope::Namespaced
            && served.has(Verb::List)
            && (*served.version == *served.resource.storage_version());
        let Some(evaluator) = Evaluator::of(&served.group, &served.plural).filter(|_| is_counted) else {
            continue;
        };
        let counted: Vec<&str> = names().filter(|name| evaluator.counts(name)).collect();
        if counted.is_empty() {
            continue;
        }
        for name in &counted {
            if used.get(name).is_none() {
                used.count(*name, 0);
            }
        }
        let arena = Arena::new();
        let path = collection(&served.group, &served.version, namespace, &served.plural);
        for object in listed(&arena, &client.get(&path)) {
            if evaluator.matches(quota, names(), *object) {
                let own = evaluator.usage(*object, cluster.now);
                used.add(&own.only(|name| counted.contains(&name)));
            }
        }
    }
    used
}
