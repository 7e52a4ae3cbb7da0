//! Schemas shared by documents: those of `meta/v1` and of `Scale`. A document contains only those it refers to.

use std::collections::BTreeMap;

use kindsmith_builtin::find_own;
use kindsmith_json::{Arena, Object, Value};
use kindsmith_object::{Behavior, Release};

use kindsmith_json::object_of;

/// Where a schema names its kinds.
pub(super) const KINDS: &str = "x-kubernetes-group-version-kind";

/// The prefix of references.
pub(super) const PREFIX: &str = "#/components/schemas/";

/// The package of `meta/v1` types.
pub(super) const META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.";

/// The types of that package that documents use.
const META_TYPES: [&str; 21] = [
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
    "WatchEvent",
];

/// Those that are kinds of every group.
const KINDS_OF_GROUPS: [&str; 2] = ["DeleteOptions", "WatchEvent"];

/// Groups and versions that a server knows besides those of `meta.json`.
const MORE_GROUPS: [(&str, &str); 7] = [
    ("admission.k8s.io", "v1"),
    ("admission.k8s.io", "v1beta1"),
    ("apiextensions.k8s.io", "v1"),
    ("apiextensions.k8s.io", "v1beta1"),
    ("apiregistration.k8s.io", "v1"),
    ("apiregistration.k8s.io", "v1beta1"),
    ("imagepolicy.k8s.io", "v1alpha1"),
];

/// The schemas of one document.
pub(super) struct Schemas<'a> {
    arena: &'a Arena,
    release: Release,
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
            release,
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

    /// Makes options of deletions and events of watches kinds of the core group and of this one, as in documents of built-in versions.
    pub(super) fn kinds_of(&mut self, group: &'a str, version: &'a str) {
        if !self.release.has(Behavior::KindsOfOneGroup) {
            return self.kinds_of_all();
        }
        let mut groups = vec![("", "v1")];
        if !group.is_empty() {
            groups.push((group, version));
        }
        self.set_groups(&groups);
    }

    /// Makes options of deletions and events of watches kinds of all groups.
    pub(super) fn kinds_of_all(&mut self) {
        let options = self.library.get(&*format!("{META}DeleteOptions"));
        let kinds = options.and_then(|options| options.get(KINDS)?.as_array());
        let known = kinds.unwrap_or_default().iter();
        let mut groups: Vec<(&'a str, &'a str)> = known
            .map(|kind| (kind.text("group"), kind.text("version")))
            .chain(MORE_GROUPS)
            .collect();
        groups.sort_unstable();
        groups.dedup();
        self.set_groups(&groups);
    }

    fn set_groups(&mut self, groups: &[(&'a str, &'a str)]) {
        let arena = self.arena;
        for name in KINDS_OF_GROUPS {
            let kinds = groups.iter().map(|&(group, version)| (group, version, name));
            if let Some(schema) = self.library.get_mut(&*format!("{META}{name}")) {
                schema.set(arena, &[KINDS], kinds_in_schema(arena, kinds));
            }
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
                    self.add(name, self.with_kind(name, schema));
                }
                true
            }
            None => false,
        }
    }

    /// A schema that others have as a part, with the kind if objects of it are served, too.
    fn with_kind(&self, name: &'a str, schema: Value<'a>) -> Value<'a> {
        match name.strip_prefix("io.k8s.api.core.v1.") {
            Some(kind) if find_own(self.release, "", "v1", kind).is_some() => {
                with_kind(self.arena, ("", "v1", kind), schema)
            }
            _ => schema,
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

/// A schema with the kind that it is of.
pub(super) fn with_kind<'a>(
    arena: &'a Arena,
    kind: (&'a str, &'a str, &'a str),
    schema: Value<'a>,
) -> Value<'a> {
    let mut schema = schema;
    schema.set(arena, &[KINDS], kinds_in_schema(arena, [kind]));
    schema
}

/// Groups, versions and kinds as a schema names them under [`KINDS`].
pub(super) fn kinds_in_schema<'a>(
    arena: &'a Arena,
    kinds: impl IntoIterator<Item = (&'a str, &'a str, &'a str)>,
) -> Value<'a> {
    let kinds = kinds.into_iter().map(|(group, version, kind)| {
        let members = [("group", group), ("kind", kind), ("version", version)];
        object_of(arena, &members.map(|(key, text)| (key, Value::Str(text))))
    });
    let kinds: Vec<Value<'a>> = kinds.collect();
    Value::Array(arena.alloc_slice_copy(&kinds))
}
