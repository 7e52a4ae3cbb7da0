//! Values of Rust types, defaulted and validated by code of their own, in the words of the API server.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use kindsmith_json::path::PathBuf;
use kindsmith_json::{Arena, Entry, Object, Value};
use kindsmith_object::meta::Scope;
use kindsmith_object::{About, FieldError};
use kindsmith_rust::{Body, Declaration, Field, GoType, Package, Presence};
use kindsmith_structural::{StructuralChange, StructuralSchema};
use serde::Serialize;

use super::typed::keyword::whole;
use super::typed::tell::{At, Name, Report};
use super::typed::{Before, View};
use super::{Api, Kind, Schema, metadata};
use crate::bridge::to_value;
use crate::{Kinds, LoadError, Steps, Write, object_metadata};

/// Defaults and validation of values, for every type with a [`Schema`].
///
/// The checks are code that the macros write for the type, and so are the errors of a new value: no JSON is made, and nothing is looked
/// up. The engine is asked for what that code does not know, and for an update with a fault, some of which the old value may
/// excuse. Words and order are those of the API server in both cases.
///
/// ```
/// # use kindsmith_derive::Resource;
/// # use serde::Serialize;
/// use kindsmith::Validate;
///
/// #[derive(Resource, Serialize)]
/// #[k8s(group = "park.example.org", version = "v1", kind = "Gate")]
/// #[k8s(rule("self.width < 300 || has(self.keeper)", message = "a wide gate has a keeper"))]
/// struct GateSpec {
///     #[k8s(minimum = 60, default = 120)]
///     width: Option<i32>,
///     keeper: Option<String>,
/// }
///
/// let mut gate = GateSpec { width: None, keeper: None };
/// gate.default();
/// assert_eq!(gate.width, Some(120));
/// assert_eq!(gate.validate(None), []);
///
/// let wide = GateSpec { width: Some(400), keeper: None };
/// let errors = wide.validate(None);
/// assert_eq!(errors[0].to_string(), "spec: Invalid value: a wide gate has a keeper");
/// ```
///
/// Where the trait is imported, write `Default::default()` instead of `GateSpec::default()`.
pub trait Validate: Schema + Serialize {
    /// Fills in defaults.
    fn default(&mut self) {
        self.fill();
    }

    /// What is wrong with a value; on an update, what the old one excuses is not told. Whole objects are told about their metadata
    /// first. A value that cannot be JSON, and a type whose
    /// CRD is rejected ([`crd`](super::crd) says why), have an internal error.
    fn validate(&self, old: Option<&Self>) -> Vec<FieldError> {
        // Only the engine knows the rules of `scale`.
        let kind = Self::kind();
        let has_scale = kind.is_some_and(|kind| kind.has_scale);
        let named = |kind: Kind| kind.is_spec || metadata_holds(&kind, self, old);
        if !has_scale && self.holds(Before::of(old)) && kind.is_none_or(named) {
            return Vec::new();
        }
        let told = if old.is_none() && !has_scale {
            tell(self)
        } else {
            None
        };
        told.unwrap_or_else(|| explain(self, old))
    }
}

impl<T: Schema + Serialize + ?Sized> Validate for T {}

fn metadata_holds<T: Schema + ?Sized>(kind: &Kind, new: &T, old: Option<&T>) -> bool {
    fn of<T: Schema + ?Sized>(value: &T) -> View<'_> {
        match value.view() {
            View::Object(members) => members.member("metadata"),
            _ => View::Opaque,
        }
    }
    metadata::holds(of(new), old.map(of), kind.is_namespaced)
}

/// All faults of a new value, found by its own code; `None` if that does not know them all.
#[cold]
#[inline(never)]
fn tell<T: Schema + ?Sized>(new: &T) -> Option<Vec<FieldError>> {
    let mut report = Report::default();
    match T::kind() {
        None => {
            new.tell_values(Before::None, &Name::ROOT, &mut report);
            new.tell_rules(Before::None, &At::NIL, &mut report);
        }
        Some(kind) if kind.is_spec => {
            new.tell_values(Before::None, &Name::ROOT.property("spec"), &mut report);
            new.tell_rules(Before::None, &At::root("spec"), &mut report);
        }
        // Objects have metadata.
        Some(_) => return None,
    }
    if report.is_incomplete() {
        return None;
    }
    let has_rules = || engine::<T>().as_ref().as_ref().is_ok_and(Engine::has_rules);
    let errors = report.into_errors(has_rules);
    // The value does not hold, so there is something that was not told.
    (!errors.is_empty()).then_some(errors)
}

/// All faults, found by the engine.
#[cold]
#[inline(never)]
fn explain<T: Schema + Serialize + ?Sized>(new: &T, old: Option<&T>) -> Vec<FieldError> {
    match engine::<T>().as_ref() {
        Ok(engine) => engine.explain(new, old),
        Err(error) => vec![FieldError::internal(PathBuf::default(), error.to_string())],
    }
}

/// What explains the faults of one type.
enum Engine {
    /// Values are objects or their `spec`.
    Kind {
        kinds: Box<Kinds>,
        kind: Kind,
        has_rules: bool,
    },
    /// Values are parts of objects.
    Part(Box<StructuralSchema>),
}

impl Engine {
    /// Whether the type has CEL rules, also in its parts.
    fn has_rules(&self) -> bool {
        match self {
            Self::Kind { has_rules, .. } => *has_rules,
            Self::Part(schema) => schema.has_rules(),
        }
    }

    fn explain<T: Serialize + ?Sized>(&self, new: &T, old: Option<&T>) -> Vec<FieldError> {
        let arena = Arena::new();
        let value = |value: &T| to_value(&arena, &value).map(|value| as_stored(&arena, value));
        let values = value(new).and_then(|new| Ok((new, old.map(value).transpose()?)));
        let (new, old) = match values {
            Ok(values) => values,
            Err(error) => return vec![FieldError::internal(PathBuf::default(), error.to_string())],
        };
        match self {
            Self::Part(schema) => {
                let change = match old {
                    Some(old) => StructuralChange::update(new, old),
                    None => StructuralChange::create(new),
                };
                schema.validate(&change).errors
            }
            Self::Kind { kinds, kind, .. } => {
                let (new, old) = (kind.object(&arena, new), old.map(|old| kind.object(&arena, old)));
                let write = match old {
                    Some(old) => Write::update(old, new),
                    None => Write::create(new),
                };
                let steps = Steps::VALIDATE;
                let of_metadata = kind.metadata_errors(&arena, new, old);
                match kinds.review(&arena, &Write { steps, ..write }) {
                    Ok(review) => {
                        let errors = review.errors.into_iter();
                        let of_object =
                            |error: &FieldError| matches!(error.about, Some(About::Rule { depth: 0, .. }));
                        // A spec alone is not an object, so rules about objects say nothing about it.
                        let of_schema = errors
                            .filter_map(|rejection| rejection.error)
                            .filter(|error| !kind.is_spec || !of_object(error));
                        of_metadata.into_iter().chain(of_schema).collect()
                    }
                    Err(error) => vec![FieldError::internal(PathBuf::default(), error.to_string())],
                }
            }
        }
    }
}

impl Kind {
    /// A value as an object of the kind. A spec alone gets a name, which is required of objects and not of it.
    pub(super) fn object<'a>(&self, arena: &'a Arena, value: Value<'a>) -> Value<'a> {
        let mut object = if self.is_spec {
            Value::Object(Object::EMPTY)
        } else {
            value
        };
        let api_version = arena.alloc_str(&format!("{}/{}", self.group, self.version));
        object.set(arena, &["apiVersion"], Value::Str(api_version));
        object.set(arena, &["kind"], Value::Str(self.kind));
        if self.is_spec {
            object.set(arena, &["metadata", "name"], Value::Str("value"));
            object.set(arena, &["spec"], value);
        }
        object
    }

    /// What is wrong with the metadata of an object; a spec has none.
    pub(super) fn metadata_errors<'a>(
        &self,
        arena: &'a Arena,
        new: Value<'a>,
        old: Option<Value<'a>>,
    ) -> Vec<FieldError> {
        let scope = if self.is_namespaced {
            Scope::Namespaced
        } else {
            Scope::Cluster
        };
        if self.is_spec {
            Vec::new()
        } else {
            object_metadata::errors(arena, scope, new, old)
        }
    }
}

/// A value as a server has it: without optional fields that are not there, which serde may write as null, and with integers where a
/// number has no fraction.
pub(super) fn as_stored<'a>(arena: &'a Arena, value: Value<'a>) -> Value<'a> {
    match value {
        Value::Float(number) => whole(number).map_or(value, Value::Int),
        Value::Array(items) => {
            let items: Vec<Value<'a>> = items.iter().map(|item| as_stored(arena, *item)).collect();
            Value::Array(arena.alloc_slice_copy(&items))
        }
        Value::Object(object) => {
            let members = object.iter().filter(|(_, value)| !value.is_null());
            let entries: Vec<Entry<'a>> = members
                .map(|(key, value)| Entry {
                    key,
                    value: as_stored(arena, value),
                })
                .collect();
            Value::Object(Object::from_entries(arena, arena.alloc_slice_copy(&entries)))
        }
        other => other,
    }
}

/// The engine of a type; made once.
fn engine<T: Schema + ?Sized>() -> Arc<Result<Engine, LoadError>> {
    // By name, as types are declared: one for each type that had a fault, so they are never forgotten.
    static ENGINES: Mutex<BTreeMap<&str, Arc<Result<Engine, LoadError>>>> = Mutex::new(BTreeMap::new());
    let name = std::any::type_name::<T>();
    if let Some(known) = ENGINES.lock().unwrap_or_else(PoisonError::into_inner).get(name) {
        return known.clone();
    }
    let made = Arc::new(match T::kind() {
        Some(kind) => Api::default().add(&kind).kinds().map(|kinds| Engine::Kind {
            has_rules: has_rules(&kinds, &kind),
            kinds: Box::new(kinds),
            kind,
        }),
        None => part::<T>().map(|schema| Engine::Part(Box::new(schema))),
    });
    let mut engines = ENGINES.lock().unwrap_or_else(PoisonError::into_inner);
    engines.entry(name).or_insert(made).clone()
}

/// Whether objects of a kind have CEL rules.
fn has_rules(kinds: &Kinds, kind: &Kind) -> bool {
    let crds = kinds.crds();
    let found = crds.of_object(&format!("{}/{}", kind.group, kind.version), kind.kind);
    let schema = found.and_then(|found| found.schema().ok());
    let compiled = schema.and_then(|schema| StructuralSchema::compile(&schema).ok());
    compiled.is_some_and(|schema| schema.has_rules())
}

/// The schema of a type alone: that of the `spec` of a kind around it.
fn part<T: Schema + ?Sized>() -> Result<StructuralSchema, LoadError> {
    const META: &str = "k8s.io/apimachinery/pkg/apis/meta/v1";
    let mut package = Package::new("part.invalid", "v1");
    let ty = T::go_type(&mut package.types);
    let field = |name: &'static str, ty: GoType| Field {
        rust_name: name.into(),
        name: name.into(),
        docs: "".into(),
        tags: Vec::new(),
        ty,
        presence: Presence::Required,
    };
    let mut root = Declaration::new(Body::Struct(vec![
        field("", GoType::imported(META, "TypeMeta")),
        field("metadata", GoType::imported(META, "ObjectMeta")),
        field("spec", ty),
    ]));
    root.tags.push("kubebuilder:object:root=true".into());
    package.types.declare("the part", "Part", |_| root);
    let kinds = Api::of(package).kinds()?;
    let missing = || LoadError::of("the type has no schema");
    let found = kinds
        .crds()
        .of_object("part.invalid/v1", "Part")
        .ok_or_else(missing)?;
    let schema = found
        .schema()
        .map_err(|error| LoadError::of(&error.to_string()))?;
    let spec = schema.property("spec").ok_or_else(missing)?;
    StructuralSchema::compile_part(spec).map_err(|error| LoadError::of(&error.to_string()))
}
