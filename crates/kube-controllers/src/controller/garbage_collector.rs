//! Objects go with their owners: in the background, before them, or not at all
//! (pkg/controller/garbagecollector/garbagecollector.go).

use std::collections::{BTreeSet, HashMap};

use kindsmith_api::{Loopback, Verb};
use kindsmith_json::{Arena, Value};
use kindsmith_object::meta::Scope;

use super::Controller;
use crate::cluster::{Change, Cluster, Place, is_going, object, quoted};

const ORPHAN: &str = "orphan";
const FOREGROUND: &str = "foregroundDeletion";
/// When to try again what failed, in seconds.
const AGAIN: i64 = 5;

/// An owner, as a dependent names it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Owner {
    uid: String,
    api_version: String,
    kind: String,
    name: String,
    blocks: bool,
}

/// An object of the graph.
#[derive(Debug, Clone)]
struct Node {
    place: Place,
    owners: Vec<Owner>,
    finalizers: Vec<String>,
    is_going: bool,
}

impl Node {
    fn has(&self, finalizer: &str) -> bool {
        self.finalizers.iter().any(|known| known == finalizer)
    }

    /// Whether it waits until its dependents are gone.
    fn is_waiting(&self) -> bool {
        self.is_going && self.has(FOREGROUND)
    }
}

/// Deletes what has no owner any more.
#[derive(Default)]
pub(super) struct Collector {
    /// All objects by uid.
    nodes: HashMap<String, Node>,
    /// The uids of dependents by the uid of their owner.
    dependents: HashMap<String, BTreeSet<String>>,
    dirty: BTreeSet<String>,
}

impl Controller for Collector {
    fn see(&mut self, change: &Change<'_>) {
        if change.place.resource == "events" {
            return;
        }
        let uid =
            |object: Option<Value<'_>>| object.unwrap_or_default().text(&["metadata", "uid"]).to_owned();
        let (old, new) = (uid(change.old), uid(change.new));
        if !old.is_empty() && old != new {
            self.forget(&old);
        }
        if let Some(object) = change.new.filter(|_| !new.is_empty()) {
            self.learn(change.place, new, object);
        }
    }

    fn act(&mut self, cluster: &Cluster<'_>) -> Option<i64> {
        let client = cluster.client("generic-garbage-collector");
        let dirty = std::mem::take(&mut self.dirty);
        let failed: BTreeSet<String> = dirty
            .into_iter()
            .filter(|uid| !self.settle(cluster, &client, uid))
            .collect();
        let has_failed = !failed.is_empty();
        self.dirty = failed;
        has_failed.then_some(cluster.now + AGAIN)
    }
}

fn owners(object: Value<'_>) -> Vec<Owner> {
    let references = object.list(&["metadata", "ownerReferences"]).iter();
    references
        .map(|reference| Owner {
            uid: reference.text("uid").to_owned(),
            api_version: reference.text("apiVersion").to_owned(),
            kind: reference.text("kind").to_owned(),
            name: reference.text("name").to_owned(),
            blocks: reference.get("blockOwnerDeletion") == Some(Value::Bool(true)),
        })
        .collect()
}

impl Collector {
    fn learn(&mut self, place: &Place, uid: String, object: Value<'_>) {
        let finalizers = object.list(&["metadata", "finalizers"]);
        let node = Node {
            place: place.clone(),
            owners: owners(object),
            finalizers: finalizers
                .iter()
                .filter_map(|finalizer| Some(finalizer.as_str()?.to_owned()))
                .collect(),
            is_going: is_going(object),
        };
        for owner in self
            .nodes
            .get(&uid)
            .map(|old| old.owners.clone())
            .unwrap_or_default()
        {
            if let Some(dependents) = self.dependents.get_mut(&owner.uid) {
                dependents.remove(&uid);
            }
            self.dirty.insert(owner.uid);
        }
        for owner in &node.owners {
            self.dependents
                .entry(owner.uid.clone())
                .or_default()
                .insert(uid.clone());
        }
        if node.is_going {
            self.dirty
                .extend(self.dependents.get(&uid).into_iter().flatten().cloned());
        }
        self.nodes.insert(uid.clone(), node);
        self.dirty.insert(uid);
    }

    fn forget(&mut self, uid: &str) {
        self.dirty
            .extend(self.dependents.get(uid).into_iter().flatten().cloned());
        for owner in self.nodes.remove(uid).map(|node| node.owners).unwrap_or_default() {
            if let Some(dependents) = self.dependents.get_mut(&owner.uid) {
                dependents.remove(uid);
                if dependents.is_empty() {
                    self.dependents.remove(&owner.uid);
                }
            }
            self.dirty.insert(owner.uid);
        }
    }

    /// Brings one object to rest; `false` if it must be tried again.
    fn settle(&self, cluster: &Cluster<'_>, client: &Loopback<'_>, uid: &str) -> bool {
        let Some(node) = self.nodes.get(uid) else {
            return true;
        };
        if node.is_going && node.has(ORPHAN) {
            return self.orphan(client, uid) && without_finalizer(client, node, uid, ORPHAN);
        }
        if node.is_waiting() {
            return self.delete_dependents(client, uid)
                && (self.is_blocked(uid) || without_finalizer(client, node, uid, FOREGROUND));
        }
        if node.is_going || node.owners.is_empty() {
            return true;
        }
        self.judge(cluster, client, uid, node)
    }

    fn dependents_of(&self, uid: &str) -> impl Iterator<Item = (&str, &Node)> {
        let dependents = self.dependents.get(uid).into_iter().flatten();
        dependents.filter_map(|uid| Some((uid.as_str(), self.nodes.get(uid)?)))
    }

    /// Lets dependents forget their owner.
    fn orphan(&self, client: &Loopback<'_>, uid: &str) -> bool {
        let mut is_done = true;
        for (dependent, node) in self.dependents_of(uid) {
            is_done &= without_owners(client, node, dependent, &[uid]);
        }
        is_done
    }

    fn delete_dependents(&self, client: &Loopback<'_>, uid: &str) -> bool {
        let present = self.dependents_of(uid).filter(|(_, node)| !node.is_going);
        let mut is_done = true;
        for (dependent, node) in present {
            let has_other = node.owners.iter().any(|owner| self.is_solid(node, owner));
            is_done &= if has_other {
                without_owners(client, node, dependent, &[uid])
            } else {
                delete(client, node, dependent, self.policy(dependent))
            };
        }
        is_done
    }

    /// A dependent with dependents of its own waits for them, too.
    fn policy(&self, uid: &str) -> &'static str {
        match self.dependents_of(uid).next() {
            Some(_) => "Foreground",
            None => "Background",
        }
    }

    fn is_blocked(&self, uid: &str) -> bool {
        let blocks =
            |(_, node): (&str, &Node)| node.owners.iter().any(|owner| owner.uid == uid && owner.blocks);
        self.dependents_of(uid).any(blocks)
    }

    fn owner_node(&self, node: &Node, owner: &Owner) -> Option<&Node> {
        let found = self.nodes.get(&owner.uid)?;
        let place = &found.place;
        let is_near = place.namespace.is_empty() || place.namespace == node.place.namespace;
        let is_it = place.name == owner.name && place.kind == owner.kind && is_near;
        is_it.then_some(found)
    }

    fn is_solid(&self, node: &Node, owner: &Owner) -> bool {
        self.owner_node(node, owner)
            .is_some_and(|owner| !owner.is_waiting())
    }

    /// Deletes an object whose owners are all gone, and takes away the gone ones of an object that has others.
    fn judge(&self, cluster: &Cluster<'_>, client: &Loopback<'_>, uid: &str, node: &Node) -> bool {
        // Nobody knows whether an owner of an unknown kind exists.
        if !node.owners.iter().all(|owner| is_served(cluster, node, owner)) {
            return true;
        }
        let (solid, others): (Vec<&Owner>, Vec<&Owner>) =
            node.owners.iter().partition(|owner| self.is_solid(node, owner));
        if others.is_empty() {
            return true;
        }
        if !solid.is_empty() {
            let gone: Vec<&str> = others.iter().map(|owner| &*owner.uid).collect();
            return without_owners(client, node, uid, &gone);
        }
        let is_awaited = others.iter().any(|owner| self.owner_node(node, owner).is_some());
        let policy = match () {
            () if is_awaited => self.policy(uid),
            () if node.has(ORPHAN) => "Orphan",
            () if node.has(FOREGROUND) => "Foreground",
            () => "Background",
        };
        delete(client, node, uid, policy)
    }
}

/// Whether an owner's kind is served where the dependent may have owners.
fn is_served(cluster: &Cluster<'_>, node: &Node, owner: &Owner) -> bool {
    cluster.catalog.served.iter().any(|served| {
        let is_near = served.scope == Scope::Cluster || !node.place.namespace.is_empty();
        served.api_version() == owner.api_version
            && *served.kind == *owner.kind
            && is_near
            && served.has(Verb::Get)
    })
}

fn delete(client: &Loopback<'_>, node: &Node, uid: &str, policy: &str) -> bool {
    let options = format!(
        r#"{{"propagationPolicy":"{policy}","preconditions":{{"uid":{}}}}}"#,
        quoted(uid)
    );
    let answer = client.delete(&node.place.path(), &options);
    answer.is_done() || matches!(answer.status, 404 | 409)
}

fn without_owners(client: &Loopback<'_>, node: &Node, uid: &str, gone: &[&str]) -> bool {
    edit(client, node, uid, "ownerReferences", |owner| {
        !gone.contains(&owner.text("uid"))
    })
}

fn without_finalizer(client: &Loopback<'_>, node: &Node, uid: &str, name: &str) -> bool {
    edit(client, node, uid, "finalizers", |finalizer| {
        finalizer.as_str() != Some(name)
    })
}

/// Removes elements of a list in the metadata of an object, if it is still the same.
fn edit(
    client: &Loopback<'_>,
    node: &Node,
    uid: &str,
    list: &str,
    is_kept: impl Fn(Value<'_>) -> bool,
) -> bool {
    let path = node.place.path();
    for _ in 0..5 {
        let arena = Arena::new();
        let Some(found) = object(&arena, &client.get(&path)) else {
            return true;
        };
        if found.text(&["metadata", "uid"]) != uid {
            return true;
        }
        let all = found.list(&["metadata", list]);
        let kept: Vec<Value<'_>> = all.iter().copied().filter(|item| is_kept(*item)).collect();
        if kept.len() == all.len() {
            return true;
        }
        let patch = format!(
            r#"{{"metadata":{{"resourceVersion":{},"{list}":{}}}}}"#,
            quoted(found.text(&["metadata", "resourceVersion"])),
            kindsmith_json::to_string(Value::Array(&kept))
        );
        let answer = client.patch(&path, &patch);
        if answer.is_done() || answer.status == 404 {
            return true;
        }
    }
    false
}
