//! Schemas shared by documents: those of `meta/v1` and of `Scale`. A document contains only those it refers to.

use std::collections::BTreeMap;

use kindsmith_json::{Arena, Object, Value};
use kindsmith_object::{Behavior, Release};

use crate::response::partial::object_of;

/// The prefix of references.
pub(super) const PREFIX: &str = "#/components/schemas/";

/// The package of `meta/v1` types.
pub(super) const META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.";

/// The types of that package that documents use.
const META_TYPES: [&str; 20] = [
    "APIGroup",
    "APIGroupList",
    "APIResource",
    "APIResourceList",
    "APIVersions",
    "DeleteOptions",
    "FieldsV1",
    "GroupVersionForDiscovery",
    "ListMeta",
    "ManagedFieldsEntry",
    "ObjectMeta",
    "OwnerReference",
    "Patch",
    "Preconditions",
    "ServerAddressByClientCIDR",
    "ShardInfo",
    "Status",
    "StatusCause",
    "StatusDetails",
    "Time",
];

/// The schemas of one document.
pub(super) struct Schemas<'a> {
    arena: &'a Arena,
    /// Those of all built-in types; they are large, so a document has them once.
    own: Value<'a>,
    is_described: bool,
    library: BTreeMap<&'a str, Value<'a>>,
    used: BTreeMap<&'a str, Value<'a>>,
}

impl<'a> Schemas<'a> {
    /// A document without schemas.
    pub(super) fn new(arena: &'a Arena, release: Release) -> Self {
        let mut schemas = Schemas {
            arena,
            own: super::types::schemas(arena, release),
            is_described: false,
            library: BTreeMap::new(),
            used: BTreeMap::new(),
        };
        schemas.add_meta(release);
        for more in [include_str!("scale.json"), include_str!("version.json")] {
            schemas.add_library(kindsmith_json::parse_str(arena, more).unwrap_or_default());
        }
        schemas
    }

    /// Adds the types of `meta/v1`: those from the Go types, extended by `meta.json`.
    fn add_meta(&mut self, release: Release) {
        let generated = self.own;
        let more = kindsmith_json::parse_str(self.arena, include_str!("meta.json")).unwrap_or_default();
        for name in META_TYPES {
            let name: &'a str = self.arena.alloc_str(&format!("{META}{name}"));
            let mut schema = generated.get(name).unwrap_or(Value::Object(Object::EMPTY));
            schema = without_descriptions(self.arena, schema);
            for (key, value) in more.get(name).and_then(Value::as_object).unwrap_or_default() {
                schema.set(self.arena, &[key], known_kinds(self.arena, release, value));
            }
            if name.ends_with(".Status") && !release.has(Behavior::DetailsNotAtomic) {
                let list_type = ["properties", "details", "x-kubernetes-list-type"];
                schema.set(self.arena, &list_type, "atomic".into());
            }
            self.library.insert(name, schema);
        }
    }

    /// Adds schemas to the library, from which references are resolved.
    pub(super) fn add_library(&mut self, schemas: Value<'a>) {
        for (name, schema) in schemas.as_object().unwrap_or_default() {
            self.library.entry(name).or_insert(schema);
        }
    }

    /// The schemas of all built-in types.
    pub(super) fn own(&self) -> Value<'a> {
        self.own
    }

    /// Copies descriptions from the schemas of built-in types.
    pub(super) fn describe(&mut self) {
        if std::mem::replace(&mut self.is_described, true) {
            return;
        }
        for (name, schema) in &mut self.library {
            if let Some(other) = self.own.get(name) {
                *schema = described_as(self.arena, *schema, other);
            }
        }
    }

    /// Leaves the options of a deletion only the core group and this one, as documents of built-in versions do.
    pub(super) fn delete_options_of(&mut self, group: &'a str, version: &'a str) {
        let arena = self.arena;
        let kind = |group: &'a str, version: &'a str| {
            let members = [("group", group), ("kind", "DeleteOptions"), ("version", version)];
            object_of(arena, &members.map(|(key, text)| (key, Value::Str(text))))
        };
        let mut kinds = vec![kind("", "v1")];
        if !group.is_empty() {
            kinds.push(kind(group, version));
        }
        if let Some(schema) = self.library.get_mut(&*format!("{META}DeleteOptions")) {
            let kinds = Value::Array(arena.alloc_slice_copy(&kinds));
            schema.set(arena, &["x-kubernetes-group-version-kind"], kinds);
        }
    }

    /// Adds a schema and everything it refers to.
    pub(super) fn add(&mut self, name: &'a str, schema: Value<'a>) {
        if self.used.insert(name, schema).is_none() {
            self.follow(schema);
        }
    }

    /// Adds a schema of the library and everything it refers to; `false` if there is none.
    pub(super) fn add_known(&mut self, name: &str) -> bool {
        match self.library.get_key_value(name) {
            Some((&name, &schema)) => {
                if !self.used.contains_key(name) {
                    self.add(name, schema);
                }
                true
            }
            None => false,
        }
    }

    /// A reference to a schema of the library, which is added to the document.
    pub(super) fn reference(&mut self, name: &str) -> Value<'a> {
        self.add_known(name);
        reference(self.arena, name)
    }

    fn follow(&mut self, schema: Value<'a>) {
        let mut open = vec![schema];
        while let Some(here) = open.pop() {
            match here {
                Value::Array(items) => open.extend_from_slice(items),
                Value::Object(object) => {
                    let name = object.get("$ref").and_then(Value::as_str);
                    if let Some(name) = name.and_then(|name| name.strip_prefix(PREFIX)) {
                        self.add_known(name);
                    }
                    open.extend(object.values());
                }
                _ => {}
            }
        }
    }

    /// All schemas by name, if there are any.
    pub(super) fn finish(self) -> Option<Value<'a>> {
        let members: Vec<(&'a str, Value<'a>)> = self.used.into_iter().collect();
        (!members.is_empty()).then(|| object_of(self.arena, &members))
    }
}

/// The kinds of a list that a release knows; `since` and `until` of `meta.json` say which those are.
fn known_kinds<'a>(arena: &'a Arena, release: Release, kinds: Value<'a>) -> Value<'a> {
    let Value::Array(kinds) = kinds else {
        return kinds;
    };
    let minor = i64::from(release.number());
    let limit = |kind: &Value<'a>, key: &str| kind.get(key).and_then(Value::as_i64);
    let is_known = |kind: &&Value<'a>| {
        let is_there = limit(kind, "since").is_none_or(|since| since <= minor);
        is_there && limit(kind, "until").is_none_or(|until| minor <= until)
    };
    let known = kinds.iter().filter(is_known).map(|&kind| {
        let mut kind = kind;
        kind.unset(arena, &["since"]);
        kind.unset(arena, &["until"]);
        kind
    });
    Value::Array(arena.alloc_slice_copy(&known.collect::<Vec<_>>()))
}

/// A schema and its properties without descriptions.
fn without_descriptions<'a>(arena: &'a Arena, schema: Value<'a>) -> Value<'a> {
    let mut schema = schema;
    schema.unset(arena, &["description"]);
    let properties = schema.get("properties").and_then(Value::as_object);
    for name in properties.unwrap_or_default().keys() {
        schema.unset(arena, &["properties", name, "description"]);
    }
    schema
}

/// Copies the descriptions of another schema and of its properties.
fn described_as<'a>(arena: &'a Arena, schema: Value<'a>, other: Value<'a>) -> Value<'a> {
    let mut schema = schema;
    if let Some(description) = other.get("description") {
        schema.set(arena, &["description"], description);
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    for name in properties.unwrap_or_default().keys() {
        if let Some(description) = other.lookup(&["properties", name, "description"]) {
            schema.set(arena, &["properties", name, "description"], description);
        }
    }
    schema
}

/// `{"$ref": …}`.
pub(super) fn reference<'a>(arena: &'a Arena, name: &str) -> Value<'a> {
    let target = arena.alloc_str(&format!("{PREFIX}{name}"));
    object_of(arena, &[("$ref", Value::Str(target))])
}

/// A reference with a description next to it.
pub(super) fn described<'a>(arena: &'a Arena, name: &str, description: &'a str) -> Value<'a> {
    let reference = arena.alloc_slice_copy(&[reference(arena, name)]);
    object_of(
        arena,
        &[
            ("description", description.into()),
            ("allOf", Value::Array(reference)),
        ],
    )
}

/// How clients authenticate.
pub(super) fn security(arena: &Arena) -> Value<'_> {
    let token = object_of(
        arena,
        &[
            ("type", "apiKey".into()),
            (
                "description",
                "A bearer token, in the header Authorization.".into(),
            ),
            ("name", "authorization".into()),
            ("in", "header".into()),
        ],
    );
    object_of(arena, &[("BearerToken", token)])
}
