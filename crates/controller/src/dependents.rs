//! Which objects refer to which, so that a change of one leads to passes over the others. Kept in memory: passes fill it again
//! after a restart.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::Json;
use crate::cluster::ObjectRef;
use crate::kind::{Kind, Reference};
use crate::queue::Key;

/// Objects of one kind, by what they refer to.
#[derive(Debug, Default)]
pub struct Dependents {
    known: Mutex<HashMap<Key, BTreeSet<Target>>>,
}

/// Plural name, namespace and name of an object that others refer to.
type Target = (String, String, String);

const SECRETS: &str = "secrets";

impl Dependents {
    /// The objects that refer to another one.
    #[must_use]
    pub fn of(&self, what: &ObjectRef) -> Vec<Key> {
        let target = (what.plural.clone(), what.namespace.clone(), what.name.clone());
        let known = self.lock();
        let mut found: Vec<Key> = known
            .iter()
            .filter(|(_, targets)| targets.contains(&target))
            .map(|(key, _)| key.clone())
            .collect();
        found.sort();
        found
    }

    /// Notes what an object refers to.
    pub(crate) fn note(&self, kind: &Kind, object: &Json) {
        let references = kind.rest.references.iter();
        let mut targets: BTreeSet<Target> = references
            .flat_map(|reference| targets(reference, object))
            .collect();
        let secrets = kind.rest.secrets.iter();
        targets.extend(secrets.flat_map(|path| secrets_at(path, object)));
        if targets.is_empty() {
            self.lock().remove(&key(object))
        } else {
            self.lock().insert(key(object), targets)
        };
    }

    pub(crate) fn forget(&self, object: &Json) {
        self.lock().remove(&key(object));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, BTreeSet<Target>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key(object: &Json) -> Key {
    let text = |key: &str| object["metadata"][key].as_str().unwrap_or_default().to_owned();
    (text("namespace"), text("name"))
}

/// The values at a path below `spec`; `[*]` stands for all items of a list.
fn all_at<'j>(value: &'j Json, path: &[&str]) -> Vec<&'j Json> {
    match path.split_first() {
        None => vec![value],
        Some((&"[*]", rest)) => {
            let items = value.as_array().into_iter().flatten();
            items.flat_map(|item| all_at(item, rest)).collect()
        }
        Some((name, rest)) => all_at(&value[*name], rest),
    }
}

fn targets(reference: &Reference, object: &Json) -> Vec<Target> {
    let found = all_at(&object["spec"], reference.path).into_iter();
    found
        .filter_map(|value| {
            let namespace = value["namespace"].as_str().map(str::to_owned);
            Some((
                reference.plural.to_owned(),
                namespace.unwrap_or_else(|| key(object).0),
                value["name"].as_str()?.to_owned(),
            ))
        })
        .collect()
}

fn secrets_at(path: &[&str], object: &Json) -> Vec<Target> {
    let found = all_at(&object["spec"], path).into_iter();
    let name = |value: &Json| {
        value["valueFrom"]["secretKeyRef"]["name"]
            .as_str()
            .map(str::to_owned)
    };
    found
        .filter_map(|value| Some((SECRETS.to_owned(), key(object).0, name(value)?)))
        .collect()
}

/// The kinds that objects of a kind refer to: group and version, kind, plural name.
#[must_use]
pub fn referenced(kind: &Kind) -> Vec<(&'static str, &'static str, &'static str)> {
    let mut kinds: Vec<_> = kind
        .rest
        .references
        .iter()
        .map(|reference| (reference.api_version, reference.kind, reference.plural))
        .collect();
    if !kind.rest.secrets.is_empty() {
        kinds.push(("v1", "Secret", SECRETS));
    }
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_object_is_found_by_what_it_refers_to() {
        let kind = (crate::kinds::ALL[0].kind)().expect("the tables are right");
        let dependents = Dependents::default();
        let object = json!({
            "metadata": { "namespace": "park", "name": "lion" },
            "spec": {
                "masterInstanceRef": { "name": "tiger" },
                "rootPassword": { "valueFrom": { "secretKeyRef": { "name": "pass", "key": "k" } } },
            },
        });
        let what = |plural: &str, name: &str| ObjectRef {
            api_version: String::new(),
            kind: String::new(),
            plural: plural.to_owned(),
            namespace: "park".to_owned(),
            name: name.to_owned(),
        };
        dependents.note(&kind, &object);
        let lion = vec![("park".to_owned(), "lion".to_owned())];
        assert_eq!(dependents.of(&what("sqlinstances", "tiger")), lion);
        assert_eq!(dependents.of(&what("secrets", "pass")), lion);
        assert_eq!(dependents.of(&what("secrets", "tiger")), []);
        dependents.forget(&object);
        assert_eq!(dependents.of(&what("secrets", "pass")), []);
        let kinds: Vec<&str> = referenced(&kind).into_iter().map(|(_, kind, _)| kind).collect();
        let expected = [
            "ComputeNetwork",
            "KMSCryptoKey",
            "SQLInstance",
            "StorageBucket",
            "Secret",
        ];
        assert_eq!(kinds, expected);
    }
}
