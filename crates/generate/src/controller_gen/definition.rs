//! One CRD per kind, with all its versions (controller-tools `pkg/crd/spec.go` and `pkg/crd/gen.go`).

use std::sync::Arc;

use kindsmith_json::{Arena, Object, Value};
use kindsmith_schema::{Json, JsonSchema, Kind, Owner, Part, Schema, Scope, TypeId};

use super::describe::Cut;
use super::flatten::Flatten;
use super::known::typed;
use super::lower::Lower;
use super::merge::Merge;
use super::plural::pluralize;
use super::text::{self, Unrendered};
use super::{About, Generated, Options, Tags, control};
use crate::k8s_tags;
use kindsmith_openapi::List;
use kindsmith_openapi::crd;

/// All versions of a kind, by name.
struct Versions<'a> {
    group: &'a str,
    kind: &'a str,
    versions: Vec<&'a Kind>,
}

impl<'a> Versions<'a> {
    /// Kind and group as Go writes them.
    fn name(&self) -> String {
        match self.group {
            "" => self.kind.to_owned(),
            group => format!("{}.{group}", self.kind),
        }
    }

    /// Adds versions from imported packages. controller-gen considers only the packages that it reached
    /// through earlier kinds.
    fn add_distant(&mut self, lower: &Lower<'a>) {
        let is_version = |kind: &&Kind| {
            let package = &lower.schema.ty(kind.ty).name.package;
            &*kind.group == self.group && &*kind.kind == self.kind && lower.met.contains(package)
        };
        let distant = lower.schema.distant_kinds().iter().filter(is_version);
        let before = self.versions.len();
        self.versions = self.versions.iter().copied().chain(distant).collect();
        if self.versions.len() > before {
            self.versions
                .sort_by(|one, other| one.version.cmp(&other.version));
        }
    }

    /// Checks across the published versions (controller-tools `NeedCRDFor`).
    fn check(&self, made: &[crd::Version], lower: &mut Lower<'_>) {
        let Some(first) = self.versions.first().filter(|_| !made.is_empty()) else {
            return;
        };
        let place = Owner::Type(first.ty).part(Part::Name);
        let name = self.name();
        if !made.iter().any(|version| version.storage) {
            let message = format!("CRD for {name} has no storage version");
            lower.problem_about(About::Versions, place, message);
        }
        if !made.iter().any(|version| version.served) {
            let names: Vec<&str> = made.iter().map(|version| &*version.name).collect();
            let versions = names.join(" ");
            let message = format!("CRD for {name} with version(s) [{versions}] does not serve any version");
            lower.problem_about(About::Versions, place, message);
        }
    }
}

/// What is done to the schemas of all kinds; each remembers what it did to shared parts.
struct Passes {
    flatten: Flatten,
    merge: Merge,
    cut: Option<Cut>,
}

impl Passes {
    fn new(options: &Options) -> Self {
        let limit = options.max_description;
        Self {
            flatten: Flatten::new(),
            merge: Merge::new(options.release),
            cut: limit.and_then(|limit| Cut::new(limit, options.release)),
        }
    }
}

/// The CRDs of all kinds.
pub(crate) fn all(schema: &Schema, options: &Options) -> Generated {
    let mut lower = Lower::new(schema, options);
    let mut passes = Passes::new(options);
    let mut definitions: Vec<Unrendered> = Vec::new();
    for mut versions in kinds(schema) {
        versions.add_distant(&lower);
        let mut made: Vec<crd::Version> = Vec::new();
        for kind in &versions.versions {
            let schema = version_schema(&mut lower, &mut passes, kind);
            if !kind.skipped {
                made.push(version(kind, schema));
            }
        }
        if let [only] = &mut made[..] {
            only.storage = true;
        }
        versions.check(&made, &mut lower);
        if !made.is_empty() {
            definitions.push(definition(&versions, made, options));
        } else if !definitions.iter().any(|known| known.file_name == NOTHING) {
            definitions.push(nothing(options));
        }
    }
    let (definitions, refused) = text::render(definitions, options);
    for place in refused {
        lower.problem(place, control::REFUSAL);
    }
    Generated {
        definitions,
        unenforced: lower.unenforced(),
        problems: lower.problems,
    }
}

/// The schema of one type.
pub(crate) fn one(schema: &Schema, ty: TypeId, options: &Options) -> (JsonSchema, Generated) {
    let mut lower = Lower::new(schema, options);
    let made = published(&mut lower, &mut Passes::new(options), ty);
    let generated = Generated {
        definitions: Vec::new(),
        unenforced: lower.unenforced(),
        problems: lower.problems,
    };
    (made, generated)
}

/// Kinds with their versions, in the order of `Kind.group`: later kinds reuse what earlier ones flattened.
fn kinds(schema: &Schema) -> Vec<Versions<'_>> {
    let mut found: Vec<Versions<'_>> = Vec::new();
    for kind in schema.kinds().iter().chain(schema.ungrouped_kinds()) {
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
    for versions in &mut found {
        versions
            .versions
            .sort_by(|one, other| one.version.cmp(&other.version));
    }
    found.sort_by_cached_key(Versions::name);
    found
}

fn version_schema(lower: &mut Lower<'_>, passes: &mut Passes, kind: &Kind) -> JsonSchema {
    let mut schema = published(lower, passes, kind.ty);
    for (name, property) in &mut schema.properties {
        if &**name == "metadata" {
            *property = typed("object");
        }
    }
    schema
}

/// The schema of a type without references and, as far as possible, without `allOf`.
fn published(lower: &mut Lower<'_>, passes: &mut Passes, ty: TypeId) -> JsonSchema {
    let Passes { flatten, merge, cut } = passes;
    let mut schema = flatten.root(lower, ty);
    let place = Owner::Type(ty).part(Part::Name);
    if std::mem::take(&mut flatten.too_large) {
        lower.problem(place, "the schema is too deep or too large to be published");
    }
    for message in merge.all(&mut schema) {
        lower.problem(place, message);
    }
    let schema_of = lower.schema;
    if lower.carries(&schema_of.ty(ty).name.package) {
        k8s_tags::settle(&mut schema);
    } else if lower.options.tags != Tags::Ignore {
        k8s_tags::forget_marks(&mut schema);
    }
    if let Some(cut) = cut {
        cut.all(&mut schema);
    }
    schema
}

/// The file of kinds without versions.
const NOTHING: &str = "_.yaml";

/// The file that controller-gen writes for a kind whose versions are all skipped.
fn nothing(options: &Options) -> Unrendered {
    let kind = Versions {
        group: "",
        kind: "",
        versions: Vec::new(),
    };
    let model = crd::Definition {
        metadata: metadata(&kind, None, options),
        ..crd::Definition::default()
    };
    Unrendered {
        place: None,
        file_name: NOTHING.to_owned(),
        model,
    }
}

fn definition(of: &Versions<'_>, versions: Vec<crd::Version>, options: &Options) -> Unrendered {
    let names = names(of);
    let file_name = format!("{}_{}.yaml", of.group, names.plural);
    let unknown_scope = of.versions.iter().find_map(|kind| kind.unknown_scope.as_deref());
    let is_cluster = of.versions.iter().any(|kind| kind.scope == Scope::Cluster);
    let model = crd::Definition {
        metadata: metadata(of, Some(&format!("{}.{}", names.plural, of.group)), options),
        spec: crd::Spec {
            group: of.group.into(),
            names,
            scope: unknown_scope
                .unwrap_or(if is_cluster { "Cluster" } else { "Namespaced" })
                .into(),
            versions: versions.into(),
            preserve_unknown_fields: options.preserve_unknown_fields.unwrap_or_default(),
            ..crd::Spec::default()
        },
        ..crd::Definition::default()
    };
    let first = of.versions.first();
    Unrendered {
        place: first.map(|first| Owner::Type(first.ty).part(Part::Name)),
        file_name,
        model,
    }
}

fn metadata(of: &Versions<'_>, name: Option<&str>, options: &Options) -> Json {
    let arena = Arena::new();
    let (mut annotations, mut labels) = (Object::EMPTY, Object::EMPTY);
    for kind in &of.versions {
        for (key, value) in &kind.annotations {
            annotations.insert(&arena, key, Value::from(&**value));
        }
        for (key, value) in &kind.labels {
            labels.insert(&arena, key, Value::from(&**value));
        }
    }
    if !options.version.is_empty() {
        let version = Value::from(options.version.as_str());
        annotations.insert(&arena, "controller-gen.kubebuilder.io/version", version);
    }
    let mut made = Object::EMPTY;
    if !annotations.is_empty() {
        made.insert(&arena, "annotations", annotations.into());
    }
    if !labels.is_empty() {
        made.insert(&arena, "labels", labels.into());
    }
    if let Some(name) = name {
        made.insert(&arena, "name", name.into());
    }
    Json::from(Value::Object(made))
}

/// The names, shared by all versions: each version may set some of them.
fn names(versions: &Versions<'_>) -> crd::Names {
    let mut names = crd::Names {
        kind: versions.kind.into(),
        plural: pluralize(versions.kind).to_lowercase().into(),
        singular: versions.kind.to_lowercase().into(),
        list_kind: format!("{}List", versions.kind).into(),
        ..crd::Names::default()
    };
    for kind in &versions.versions {
        let own = &kind.names;
        names.plural = own.plural.clone().unwrap_or(names.plural);
        names.singular = own.singular.clone().unwrap_or(names.singular);
        if !own.short.is_empty() {
            names.short_names = own.short.clone().into();
        }
        if !own.categories.is_empty() {
            names.categories = own.categories.clone().into();
        }
    }
    names
}

fn version(kind: &Kind, schema: JsonSchema) -> crd::Version {
    // A version without a name has no package that names it, so settings under its name are lost.
    let deprecated = kind.deprecated.as_ref().filter(|_| !kind.version.is_empty());
    let columns = kind.columns.iter().map(|own| crd::Column {
        name: own.name.clone(),
        ty: own.ty.clone(),
        format: own.format.clone().unwrap_or_default(),
        description: own.description.clone().unwrap_or_default(),
        priority: i32::try_from(own.priority).unwrap_or_default(),
        json_path: own.json_path.clone(),
    });
    let fields = kind.selectable_fields.iter().map(|path| crd::SelectableField {
        json_path: path.clone(),
    });
    crd::Version {
        name: kind.version.clone(),
        served: kind.served,
        storage: kind.storage && !kind.version.is_empty(),
        deprecated: deprecated.is_some(),
        deprecation_warning: deprecated.cloned().flatten(),
        schema: Some(crd::Validation {
            open_api_v3_schema: Some(Arc::new(schema)),
        }),
        subresources: subresources(kind),
        additional_printer_columns: unless_empty(columns),
        selectable_fields: unless_empty(fields),
    }
}

fn unless_empty<T>(elements: impl ExactSizeIterator<Item = T>) -> List<T> {
    match elements.len() {
        0 => List::ABSENT,
        _ => elements.collect(),
    }
}

fn subresources(kind: &Kind) -> Option<crd::Subresources> {
    let own = &kind.subresources;
    // A column also creates an empty `subresources` here.
    let is_marked = own.status || own.scale.is_some() || !kind.columns.is_empty();
    is_marked.then(|| crd::Subresources {
        status: own.status.then_some(crd::StatusSubresource {}),
        scale: own.scale.as_ref().map(|scale| crd::Scale {
            spec_replicas_path: scale.spec_path.clone(),
            status_replicas_path: scale.status_path.clone(),
            label_selector_path: scale.selector_path.clone(),
        }),
    })
}
