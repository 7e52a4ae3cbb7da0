//! The state of a server during one scenario: CRDs and stored objects.

use std::collections::BTreeMap;

use kindsmith_crd::definition::conditions;
use kindsmith_crd::{Resource, Stamp};
use kindsmith_json::{Arena, Value};
use kindsmith_openapi::crd::{Definition, Names};
use kindsmith_schema::Json;

/// Identifies an object: group, plural, namespace, name.
pub(crate) type Key = (String, String, String, String);

pub(crate) struct World<'a> {
    pub(crate) arena: &'a Arena,
    resources: BTreeMap<(String, String), &'a Resource>,
    definitions: BTreeMap<String, &'a Definition>,
    objects: BTreeMap<Key, Stored<'a>>,
    revision: u64,
    /// Values saved by earlier steps, by name.
    saved: BTreeMap<&'a str, String>,
}

#[derive(Clone, Copy)]
pub(crate) struct Stored<'a> {
    value: Value<'a>,
    revision: u64,
}

const NOW: &str = "2020-01-01T00:00:00Z";

impl<'a> World<'a> {
    pub(crate) fn new(arena: &'a Arena) -> Self {
        World {
            arena,
            resources: BTreeMap::new(),
            definitions: BTreeMap::new(),
            objects: BTreeMap::new(),
            revision: 0,
            saved: BTreeMap::new(),
        }
    }

    pub(crate) fn save(&mut self, name: &'a str, value: Value<'_>) {
        let text = value.as_str().unwrap_or_default();
        self.saved.insert(name, text.to_owned());
    }

    /// A text with saved values in place of `{{name}}`.
    pub(crate) fn fill(&self, text: &str) -> &'a str {
        let mut filled = text.to_owned();
        for (name, value) in &self.saved {
            filled = filled.replace(&format!("{{{{{name}}}}}"), value);
        }
        self.arena.alloc_str(&filled)
    }

    pub(crate) fn resource(&self, group: &str, plural: &str) -> Option<&'a Resource> {
        self.resources
            .get(&(group.to_owned(), plural.to_owned()))
            .copied()
    }

    pub(crate) fn definition(&self, name: &str) -> Option<&'a Definition> {
        self.definitions.get(name).copied()
    }

    /// Stores a CRD with its final status, and serves it from now on.
    pub(crate) fn define(&mut self, definition: &Definition) -> u64 {
        self.revision += 1;
        let key = (
            definition.spec.group.to_string(),
            definition.spec.names.plural.to_string(),
        );
        let name = format!("{}.{}", key.1, key.0);
        let same_group = |(other, stored): (&String, &&Definition)| {
            (*other != name && stored.spec.group == definition.spec.group)
                .then(|| stored.status.accepted_names.clone())
        };
        let others: Vec<Names> = self.definitions.iter().filter_map(same_group).collect();
        let mut settled = definition.clone();
        settled.status = conditions(definition, &others, NOW);
        let mut metadata = settled.metadata.value(self.arena);
        let revision = self.arena.alloc_str(&self.revision.to_string());
        metadata.set(self.arena, &["resourceVersion"], Value::Str(revision));
        settled.metadata = Json::from(metadata);
        let resource: &'a Resource = self.arena.alloc(Resource::new(&settled));
        self.definitions.insert(name, self.arena.alloc(settled));
        self.resources.insert(key, resource);
        self.revision
    }

    pub(crate) fn undefine(&mut self, name: &str) {
        self.definitions.remove(name);
        self.resources
            .retain(|(group, plural), _| format!("{plural}.{group}") != name);
        self.objects
            .retain(|key, _| format!("{}.{}", key.1, key.0) != name);
    }

    /// A new stamp for every write.
    pub(crate) fn stamp(&mut self) -> Stamp<'a> {
        self.revision += 1;
        Stamp {
            uid: self.arena.alloc_str(&format!("uid-{}", self.revision)),
            now: NOW,
            name_suffix: "abcde",
        }
    }

    pub(crate) fn contains(&self, key: &Key) -> bool {
        self.objects.contains_key(key)
    }

    /// A stored object in a version, as a client sees it.
    pub(crate) fn read(&self, resource: &'a Resource, key: &Key, version: &str) -> Option<Value<'a>> {
        let stored = self.objects.get(key)?;
        let mut object = resource
            .read(self.arena, stored.value, version)
            .expect("what was stored can be read");
        self.set_revision(&mut object, stored.revision);
        Some(object)
    }

    /// Stores an object as bytes, as a store would.
    pub(crate) fn store(&mut self, key: Key, value: Value<'a>) -> u64 {
        self.revision += 1;
        let text = self.arena.alloc_str(&kindsmith_json::to_string(value));
        let value = kindsmith_json::parse_str(self.arena, text).expect("what was written can be read");
        let revision = self.revision;
        self.objects.insert(key, Stored { value, revision });
        revision
    }

    pub(crate) fn remove(&mut self, key: &Key) {
        self.objects.remove(key);
    }

    pub(crate) fn set_revision(&self, object: &mut Value<'a>, revision: u64) {
        let text = self.arena.alloc_str(&revision.to_string());
        object.set(self.arena, &["metadata", "resourceVersion"], Value::Str(text));
    }

    /// Takes a recorded response as the state after a step that is not replayed.
    pub(crate) fn adopt(&mut self, resource: &Resource, key: Key, answer: Value<'a>) {
        let arena = self.arena;
        let mut object = dated(arena, answer);
        let uid = self
            .objects
            .get(&key)
            .and_then(|stored| stored.value.lookup(&["metadata", "uid"]));
        object.set(arena, &["metadata", "uid"], uid.unwrap_or(Value::Str("adopted")));
        object.unset(arena, &["metadata", "resourceVersion"]);
        object.unset(arena, &["metadata", "managedFields"]);
        if let Some(storage) = resource.storage_version() {
            let api_version = arena.alloc_str(&format!("{}/{}", resource.group, storage.name));
            object.set(arena, &["apiVersion"], Value::Str(api_version));
        }
        self.store(key, object);
    }
}

/// A recorded response with times in place of the markers.
fn dated<'a>(arena: &'a Arena, value: Value<'a>) -> Value<'a> {
    match value {
        Value::Str("<creationTimestamp>" | "<deletionTimestamp>" | "<lastTransitionTime>" | "<time>") => {
            Value::Str(NOW)
        }
        Value::Array(items) => {
            let items: Vec<Value<'a>> = items.iter().map(|&item| dated(arena, item)).collect();
            Value::Array(arena.alloc_slice_copy(&items))
        }
        Value::Object(object) => {
            let mut edit = object.edit(arena);
            for (key, value) in object {
                edit.insert(key, dated(arena, value));
            }
            Value::Object(edit.finish())
        }
        scalar => scalar,
    }
}
