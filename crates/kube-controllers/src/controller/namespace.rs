//! Namespaces that are being deleted lose their content, pods first, then themselves
//! (pkg/controller/namespace/deletion/namespaced_resources_deleter.go).

use std::collections::{BTreeMap, BTreeSet};

use kindsmith_api::{Loopback, Verb};
use kindsmith_json::{Arena, Object, Value};
use kindsmith_object::meta::Scope;

use super::Controller;
use crate::cluster::{Change, Cluster, collection, is_going, listed, object};

/// The part of a namespace's finalizers that is this controller's.
const FINALIZER: &str = "kubernetes";
/// When to look again at content that does not go, in seconds.
const AGAIN: i64 = 5;

/// What a condition says if nothing is wrong: type, reason, message.
const FINE: [(&str, &str, &str); 5] = [
    (
        "NamespaceDeletionDiscoveryFailure",
        "ResourcesDiscovered",
        "All resources successfully discovered",
    ),
    (
        "NamespaceDeletionGroupVersionParsingFailure",
        "ParsedGroupVersions",
        "All legacy kube types successfully parsed",
    ),
    (
        "NamespaceDeletionContentFailure",
        "ContentDeleted",
        "All content successfully deleted, may be waiting on finalization",
    ),
    (
        "NamespaceContentRemaining",
        "ContentRemoved",
        "All content successfully removed",
    ),
    (
        "NamespaceFinalizersRemaining",
        "ContentHasNoFinalizers",
        "All content-preserving finalizers finished",
    ),
];

/// Deletes the content of namespaces.
#[derive(Default)]
pub(super) struct Namespaces {
    going: BTreeSet<String>,
    dirty: BTreeSet<String>,
}

impl Controller for Namespaces {
    fn see(&mut self, change: &Change<'_>) {
        let place = change.place;
        if place.is("", "namespaces") {
            let is_going = change.new.is_some_and(is_going);
            if is_going && self.going.insert(place.name.clone()) {
                self.dirty.insert(place.name.clone());
            }
            if change.new.is_none() {
                self.going.remove(&place.name);
                self.dirty.remove(&place.name);
            }
        } else if change.new.is_none() && self.going.contains(&place.namespace) {
            self.dirty.insert(place.namespace.clone());
        }
    }

    fn act(&mut self, cluster: &Cluster<'_>) -> Option<i64> {
        let dirty = std::mem::take(&mut self.dirty);
        let unfinished: BTreeSet<String> = dirty
            .into_iter()
            .filter(|namespace| !empty(cluster, namespace))
            .collect();
        let is_waiting = !unfinished.is_empty();
        self.dirty = unfinished;
        is_waiting.then_some(cluster.now + AGAIN)
    }
}

/// What is left of the content of a namespace.
#[derive(Default)]
struct Rest {
    by_resource: BTreeMap<String, usize>,
    by_finalizer: BTreeMap<String, usize>,
    failures: Vec<String>,
}

/// Deletes a namespace's content, then the namespace; `true` if nothing is left to do.
fn empty(cluster: &Cluster<'_>, name: &str) -> bool {
    let client = cluster.client("namespace");
    let (arena, path) = (Arena::new(), format!("/api/v1/namespaces/{name}"));
    let Some(namespace) = object(&arena, &client.get(&path)) else {
        return true;
    };
    let finalizers = namespace.list(&["spec", "finalizers"]);
    if !is_going(namespace) || !finalizers.contains(&Value::Str(FINALIZER)) {
        return true;
    }
    let mut rest = Rest::default();
    delete_all(&client, name, ("", "v1", "pods"), &mut rest);
    if rest.by_resource.is_empty() {
        for served in &cluster.catalog.served {
            let is_inside = served.scope == Scope::Namespaced && served.has(Verb::Delete);
            let is_stored_version = *served.version == *served.resource.storage_version();
            if is_inside && (is_stored_version || served.resource.is_custom()) {
                let resource = (&*served.group, &*served.version, &*served.plural);
                delete_all(&client, name, resource, &mut rest);
            }
        }
        report(cluster, &client, namespace, &rest);
    } else {
        // While pods remain, nothing is said about other content.
        let only_failures = Rest {
            failures: rest.failures.clone(),
            ..Rest::default()
        };
        report(cluster, &client, namespace, &only_failures);
    }
    rest.by_resource.is_empty() && finalize(&client, &path)
}

fn delete_all(client: &Loopback<'_>, namespace: &str, resource: (&str, &str, &str), rest: &mut Rest) {
    let (group, version, plural) = resource;
    let path = collection(group, version, namespace, plural);
    let arena = Arena::new();
    if listed(&arena, &client.get(&path)).is_empty() {
        return;
    }
    let deleted = client.delete(&path, r#"{"propagationPolicy":"Background"}"#);
    if !deleted.is_done() {
        rest.failures.push(deleted.message());
    }
    let left = listed(&arena, &client.get(&path));
    if left.is_empty() {
        return;
    }
    rest.by_resource.insert(format!("{plural}.{group}"), left.len());
    let finalizers: Vec<&str> = left
        .iter()
        .flat_map(|object| object.list(&["metadata", "finalizers"]))
        .filter_map(|finalizer| finalizer.as_str())
        .collect();
    let is_graceful = plural == "pods" && left.iter().any(|pod| is_going(*pod));
    if finalizers.is_empty() && !is_graceful && deleted.is_done() {
        let shown = match group {
            "" => format!("/{version}"),
            group => format!("{group}/{version}"),
        };
        rest.failures.push(format!(
            "unexpected items still remain in namespace: {namespace} for gvr: {shown}, Resource={plural}"
        ));
    }
    for finalizer in finalizers {
        *rest.by_finalizer.entry(finalizer.to_owned()).or_default() += 1;
    }
}

/// Says in the namespace's conditions what is left.
fn report(cluster: &Cluster<'_>, client: &Loopback<'_>, namespace: Value<'_>, rest: &Rest) {
    let arena = Arena::new();
    let old = namespace.list(&["status", "conditions"]);
    let now = cluster.now_text();
    let mut conditions: Vec<Value<'_>> = old.to_vec();
    for (kind, reason, message) in FINE {
        let problem = problem(kind, rest);
        let (status, reason, message) = match &problem {
            Some((reason, message)) => ("True", *reason, message.as_str()),
            None => ("False", reason, message),
        };
        let known = conditions
            .iter()
            .position(|condition| condition.text("type") == kind);
        let before = known.map(|index| conditions[index]);
        let since = before.filter(|condition| condition.text("status") == status);
        let since = since.map_or(&*now, |condition| condition.text("lastTransitionTime"));
        let mut condition = Object::EMPTY;
        for (key, value) in [
            ("type", kind),
            ("status", status),
            ("lastTransitionTime", since),
            ("reason", reason),
            ("message", message),
        ] {
            condition.insert(&arena, key, Value::Str(arena.alloc_str(value)));
        }
        match known {
            Some(index) => conditions[index] = Value::Object(condition),
            None => conditions.push(Value::Object(condition)),
        }
    }
    if conditions == old {
        return;
    }
    let mut changed = namespace.copy_in(&arena);
    let conditions: Vec<Value<'_>> = conditions.iter().map(|item| item.copy_in(&arena)).collect();
    changed.set(
        &arena,
        &["status", "conditions"],
        Value::Array(arena.alloc_slice_copy(&conditions)),
    );
    let path = format!(
        "/api/v1/namespaces/{}/status",
        namespace.text(&["metadata", "name"])
    );
    // Whoever changed it meanwhile causes another look.
    let _ = client.put(&path, changed);
}

/// Reason and message of a condition about something that is wrong.
fn problem(kind: &str, rest: &Rest) -> Option<(&'static str, String)> {
    let counted = |counts: &BTreeMap<String, usize>, what: &str| {
        let parts = counts
            .iter()
            .map(|(name, count)| format!("{name} {what} {count} resource instances"));
        parts.collect::<Vec<_>>().join(", ")
    };
    match kind {
        "NamespaceDeletionContentFailure" if !rest.failures.is_empty() => {
            let mut failures = rest.failures.clone();
            failures.sort();
            Some((
                "ContentDeletionFailed",
                format!(
                    "Failed to delete all resource types, {} remaining: {}",
                    failures.len(),
                    failures.join(", ")
                ),
            ))
        }
        "NamespaceContentRemaining" if !rest.by_resource.is_empty() => Some((
            "SomeResourcesRemain",
            format!(
                "Some resources are remaining: {}",
                counted(&rest.by_resource, "has")
            ),
        )),
        "NamespaceFinalizersRemaining" if !rest.by_finalizer.is_empty() => Some((
            "SomeFinalizersRemain",
            format!(
                "Some content in the namespace has finalizers remaining: {}",
                counted(&rest.by_finalizer, "in")
            ),
        )),
        _ => None,
    }
}

/// Takes the finalizer away, so that the namespace goes.
fn finalize(client: &Loopback<'_>, path: &str) -> bool {
    for _ in 0..5 {
        let arena = Arena::new();
        let Some(mut namespace) = object(&arena, &client.get(path)) else {
            return true;
        };
        let finalizers = namespace.list(&["spec", "finalizers"]);
        let kept: Vec<Value<'_>> = finalizers
            .iter()
            .copied()
            .filter(|finalizer| finalizer.as_str() != Some(FINALIZER))
            .collect();
        namespace.set(
            &arena,
            &["spec", "finalizers"],
            Value::Array(arena.alloc_slice_copy(&kept)),
        );
        if client.put(&format!("{path}/finalize"), namespace).is_done() {
            return true;
        }
    }
    false
}
