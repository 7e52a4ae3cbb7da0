//! One definition per kind, with all its versions (controller-tools `pkg/crd/spec.go` and `pkg/crd/gen.go`).

use kindsmith_json::write::{Order, to_yaml};
use kindsmith_json::{Arena, Value};
use kindsmith_schema::{Column, JsonSchema, Kind, Owner, Part, Schema, Scope, Str};

use super::document::{self, Members};
use super::flatten::Flatten;
use super::known::typed;
use super::lower::Lower;
use super::plural::pluralize;
use super::{Definition, Generated, Options, describe, merge};

/// All versions of a kind, by name.
struct Versions<'a> {
    group: &'a str,
    kind: &'a str,
    versions: Vec<&'a Kind>,
}

/// The definitions of all kinds.
pub(super) fn all(schema: &Schema, options: &Options) -> Generated {
    let mut lower = Lower::new(schema, options);
    let mut flatten = Flatten::new();
    let mut generated = Generated::default();
    for versions in kinds(schema) {
        let mut schemas = Vec::new();
        for kind in &versions.versions {
            let schema = version_schema(&mut lower, &mut flatten, kind);
            if !kind.skipped {
                schemas.push((kind.version.clone(), schema));
            }
        }
        if !schemas.is_empty() {
            generated
                .definitions
                .push(definition(&versions, schemas, options));
        }
    }
    generated.problems = lower.problems;
    generated
}

/// Kinds with their versions, in the order of `Kind.group`: what is flattened first is seen by what comes later.
fn kinds(schema: &Schema) -> Vec<Versions<'_>> {
    let mut found: Vec<Versions<'_>> = Vec::new();
    for kind in schema.kinds() {
        let same = |known: &&mut Versions<'_>| known.group == &*kind.group && known.kind == &*kind.kind;
        match found.iter_mut().find(same) {
            Some(known) => known.versions.push(kind),
            None => found.push(Versions {
                group: &kind.group,
                kind: &kind.kind,
                versions: vec![kind],
            }),
        }
    }
    let name = |versions: &Versions<'_>| match versions.group {
        "" => versions.kind.to_owned(),
        group => format!("{}.{group}", versions.kind),
    };
    found.sort_by_cached_key(name);
    found
}

fn version_schema(lower: &mut Lower<'_>, flatten: &mut Flatten, kind: &Kind) -> JsonSchema {
    let mut schema = flatten.root(lower, kind.ty);
    let place = Owner::Type(kind.ty).part(Part::Name);
    if std::mem::take(&mut flatten.too_large) {
        lower.problem(place, "the schema is too deep or too large to be published");
    }
    merge::merge_all(&mut schema, &mut |message| lower.problem(place, message));
    if let Some(limit) = lower.options.max_description {
        describe::truncate_all(&mut schema, limit);
    }
    for (name, property) in &mut schema.properties {
        if &**name == "metadata" {
            *property = typed("object");
        }
    }
    schema
}

fn definition(of: &Versions<'_>, schemas: Vec<(Str, JsonSchema)>, options: &Options) -> Definition {
    let arena = Arena::new();
    let names = Names::of(of);
    let plural: Str = names.plural.as_str().into();
    let mut root = Members::new(&arena);
    root.add("apiVersion", "apiextensions.k8s.io/v1");
    root.add("kind", "CustomResourceDefinition");
    let full_name = arena.alloc_str(&format!("{plural}.{}", of.group));
    root.add("metadata", metadata(&arena, of, full_name, options));
    let mut spec = Members::new(&arena);
    spec.add("group", of.group);
    spec.add("names", names.value(&arena, of.kind));
    let scope = match names.scope {
        Scope::Namespaced => "Namespaced",
        Scope::Cluster => "Cluster",
    };
    spec.add("scope", scope);
    if let Some(preserve) = options.preserve_unknown_fields {
        spec.add("preserveUnknownFields", preserve);
    }
    let alone = schemas.len() == 1;
    let kept = of.versions.iter().filter(|kind| !kind.skipped);
    let versions = kept
        .zip(&schemas)
        .map(|(kind, (_, schema))| version(&arena, kind, schema, alone));
    let versions = versions.collect();
    spec.list("versions", versions);
    root.add("spec", spec.finish());
    let text = format!("{}---\n{}", options.header, to_yaml(root.finish(), Order::Sorted));
    Definition {
        group: of.group.into(),
        kind: of.kind.into(),
        file_name: format!("{}_{plural}.yaml", of.group),
        plural,
        text,
        versions: schemas,
    }
}

fn metadata<'a>(arena: &'a Arena, of: &'a Versions<'_>, name: &'a str, options: &'a Options) -> Value<'a> {
    let mut annotations = kindsmith_json::Object::default();
    let mut labels = kindsmith_json::Object::default();
    for kind in &of.versions {
        for (key, value) in &kind.annotations {
            annotations.insert(arena, key, Value::from(&**value));
        }
        for (key, value) in &kind.labels {
            labels.insert(arena, key, Value::from(&**value));
        }
    }
    let version = Value::from(options.version.as_str());
    annotations.insert(arena, "controller-gen.kubebuilder.io/version", version);
    let mut made = Members::new(arena);
    made.add("annotations", annotations);
    if !labels.is_empty() {
        made.add("labels", labels);
    }
    made.add("name", name);
    made.finish()
}

/// Names and scope, which all versions share: what one of them says holds for all.
struct Names<'a> {
    plural: String,
    singular: String,
    list_kind: String,
    short: &'a [Str],
    categories: &'a [Str],
    scope: Scope,
}

impl<'a> Names<'a> {
    fn of(versions: &Versions<'a>) -> Self {
        let mut names = Self {
            plural: pluralize(versions.kind).to_lowercase(),
            singular: versions.kind.to_lowercase(),
            list_kind: format!("{}List", versions.kind),
            short: &[],
            categories: &[],
            scope: Scope::Namespaced,
        };
        for kind in &versions.versions {
            if let Some(plural) = &kind.names.plural {
                names.plural = plural.to_string();
            }
            if let Some(singular) = &kind.names.singular {
                names.singular = singular.to_string();
            }
            if !kind.names.short.is_empty() {
                names.short = &kind.names.short;
            }
            if !kind.names.categories.is_empty() {
                names.categories = &kind.names.categories;
            }
            if kind.scope == Scope::Cluster {
                names.scope = Scope::Cluster;
            }
        }
        names
    }

    fn value<'b>(&'b self, arena: &'b Arena, kind: &'b str) -> Value<'b> {
        let mut made = Members::new(arena);
        made.add("plural", self.plural.as_str());
        made.text("singular", &self.singular);
        made.texts("shortNames", self.short);
        made.add("kind", kind);
        made.text("listKind", &self.list_kind);
        made.texts("categories", self.categories);
        made.finish()
    }
}

fn version<'a>(arena: &'a Arena, kind: &'a Kind, schema: &'a JsonSchema, alone: bool) -> Value<'a> {
    let mut made = Members::new(arena);
    made.add("name", &*kind.version);
    made.add("served", kind.served);
    made.add("storage", alone || kind.storage);
    if let Some(warning) = kind.deprecated.as_ref().filter(|_| !kind.version.is_empty()) {
        made.add("deprecated", true);
        if let Some(warning) = warning {
            made.add("deprecationWarning", &**warning);
        }
    }
    let mut validation = Members::new(arena);
    validation.add("openAPIV3Schema", document::schema(arena, schema));
    made.add("schema", validation.finish());
    // A column leaves an empty mark here.
    if kind.subresources.status || kind.subresources.scale.is_some() || !kind.columns.is_empty() {
        made.add("subresources", subresources(arena, kind));
    }
    let columns = kind.columns.iter().map(|own| column(arena, own)).collect();
    made.list("additionalPrinterColumns", columns);
    let fields = kind.selectable_fields.iter().map(|path| {
        let mut field = Members::new(arena);
        field.add("jsonPath", &**path);
        field.finish()
    });
    let fields = fields.collect();
    made.list("selectableFields", fields);
    made.finish()
}

fn subresources<'a>(arena: &'a Arena, kind: &'a Kind) -> Value<'a> {
    let mut made = Members::new(arena);
    if kind.subresources.status {
        made.add("status", Members::new(arena).finish());
    }
    if let Some(scale) = &kind.subresources.scale {
        let mut paths = Members::new(arena);
        paths.add("specReplicasPath", &*scale.spec_path);
        paths.add("statusReplicasPath", &*scale.status_path);
        if let Some(selector) = &scale.selector_path {
            paths.add("labelSelectorPath", &**selector);
        }
        made.add("scale", paths.finish());
    }
    made.finish()
}

fn column<'a>(arena: &'a Arena, own: &'a Column) -> Value<'a> {
    let mut made = Members::new(arena);
    made.add("name", &*own.name);
    made.add("type", &*own.ty);
    made.text("format", own.format.as_deref().unwrap_or_default());
    made.text("description", own.description.as_deref().unwrap_or_default());
    if own.priority != 0 {
        made.add("priority", own.priority);
    }
    made.add("jsonPath", &*own.json_path);
    made.finish()
}
