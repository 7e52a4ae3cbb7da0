//! A kind of one version for tests: objects and configurations as YAML flow text, ownership as text.
use kindsmith_json::{Arena, Value, parse_str, to_string, yaml};
use kindsmith_merge::{ApplyError, ConvertError, FieldManager, ResetFields, Topology, Versions, managed};

pub(crate) const VERSION: &str = "example.com/v1";
pub(crate) const KIND: &str = "Thing";

/// A schema in YAML, as a topology.
pub(crate) fn topology(schema: &str) -> Topology {
    let arena = Arena::new();
    let schema = yaml::parse(&arena, schema.as_bytes()).expect("the schema is YAML");
    let (schema, _) = kindsmith_openapi::schema::read(schema).expect("the schema reads");
    Topology::of_published(Some(&schema), false)
}

pub(crate) struct OneVersion {
    pub(crate) topology: Topology,
    pub(crate) reset: Option<ResetFields>,
}

impl Versions for OneVersion {
    fn topology(&self, api_version: &str) -> Option<&Topology> {
        (api_version == VERSION).then_some(&self.topology)
    }

    fn convert<'a>(&self, _: &'a Arena, _: Value<'a>, _: &str) -> Result<Value<'a>, ConvertError> {
        Err(ConvertError::NoSuchVersion)
    }

    fn reset_fields(&self, _: &str) -> Option<&ResetFields> {
        self.reset.as_ref()
    }
}

/// An object that is written to again and again. Time is the number of the write.
pub(crate) struct Server {
    pub(crate) versions: OneVersion,
    /// The stored object as JSON; empty before it is created.
    pub(crate) stored: String,
    pub(crate) subresource: &'static str,
    writes: u32,
}

impl Server {
    pub(crate) fn new(schema: &str) -> Self {
        let versions = OneVersion {
            topology: topology(schema),
            reset: None,
        };
        Server {
            versions,
            stored: String::new(),
            subresource: "",
            writes: 0,
        }
    }

    fn now<'a>(&mut self, arena: &'a Arena) -> &'a str {
        self.writes += 1;
        arena.alloc_str(&format!("2026-01-01T00:00:{:02}Z", self.writes))
    }

    fn manager(&self) -> FieldManager<'_> {
        FieldManager {
            versions: &self.versions,
            api_version: VERSION,
            kind: KIND,
            subresource: self.subresource,
        }
    }

    fn live<'a>(&self, arena: &'a Arena) -> Value<'a> {
        if self.stored.is_empty() {
            self.versions.empty(arena, VERSION, KIND)
        } else {
            parse_str(arena, arena.alloc_str(&self.stored)).expect("what was stored reads")
        }
    }

    /// Applies an object without `apiVersion` and `kind`.
    pub(crate) fn apply(&mut self, manager: &str, body: &str, force: bool) -> Result<(), ApplyError> {
        let arena = Arena::new();
        let now = self.now(&arena);
        let live = self.live(&arena);
        let patch = object(&arena, body);
        let applied = self.manager().apply(&arena, live, patch, manager, force, now)?;
        self.stored = to_string(with_uid(&arena, applied));
        Ok(())
    }

    /// Replaces the object.
    pub(crate) fn update(&mut self, manager: &str, body: &str) {
        let arena = Arena::new();
        let now = self.now(&arena);
        let live = self.live(&arena);
        let mut new = object(&arena, body);
        if !self.stored.is_empty() {
            new.set(&arena, &["metadata", "uid"], "u".into());
        }
        let updated = self.manager().update(&arena, live, new, manager, now);
        self.stored = to_string(with_uid(&arena, updated));
    }

    /// A member of the stored object as JSON.
    pub(crate) fn get(&self, path: &[&str]) -> String {
        let arena = Arena::new();
        let value = self.live(&arena).lookup(path);
        value.map_or_else(String::new, to_string)
    }

    /// What a manager owns, as `fieldsV1`; empty without an entry.
    pub(crate) fn owned(&self, manager: &str) -> String {
        let arena = Arena::new();
        let entries = managed::decode(&arena, self.live(&arena).lookup(&["metadata", "managedFields"]));
        let entries = entries.expect("what was stored decodes");
        let found = entries.iter().find(|entry| entry.manager == manager);
        found.map_or_else(String::new, |entry| to_string(entry.fields.encode(&arena)))
    }

    pub(crate) fn time(&self, manager: &str) -> Option<String> {
        let arena = Arena::new();
        let entries = managed::decode(&arena, self.live(&arena).lookup(&["metadata", "managedFields"]));
        let entries = entries.expect("what was stored decodes");
        let found = entries.iter().find(|entry| entry.manager == manager)?;
        found.time.map(str::to_owned)
    }
}

/// YAML with type and name.
pub(crate) fn object<'a>(arena: &'a Arena, body: &str) -> Value<'a> {
    let mut value = yaml::parse(arena, arena.alloc_str(body).as_bytes()).expect("the body is YAML");
    value.set(arena, &["apiVersion"], VERSION.into());
    value.set(arena, &["kind"], KIND.into());
    value.set(arena, &["metadata", "name"], "a".into());
    value
}

fn with_uid<'a>(arena: &'a Arena, mut value: Value<'a>) -> Value<'a> {
    value.set(arena, &["metadata", "uid"], "u".into());
    value
}
