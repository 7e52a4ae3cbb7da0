//! An object on its way through a write.

use kindsmith_engine::meta::{self, Malformed, NameRule, ObjectMeta, Scope, UnknownFields};
use kindsmith_engine::{FieldError, Plan};
use kindsmith_json::{Arena, Object, Path, Value};
use kindsmith_wire::Status;

use crate::rule;

/// An object with its metadata decoded.
///
/// The metadata inside the object is that of before until [`write_back`](Self::write_back).
#[derive(Debug, Clone, Copy)]
pub struct Draft<'a> {
    /// The object.
    pub object: Object<'a>,
    /// Its metadata.
    pub meta: ObjectMeta<'a>,
}

impl<'a> Draft<'a> {
    /// Takes over an object that fits its type.
    pub(crate) fn of(arena: &'a Arena, object: Value<'a>) -> Result<Self, Status> {
        let object = object.as_object().unwrap_or_default();
        let metadata = object.get("metadata").unwrap_or(Value::Object(Object::EMPTY));
        let decoded = meta::decode(arena, metadata, Malformed::Refuse, UnknownFields::Ignore)
            .map_err(|error| Status::internal(&error.to_string()))?;
        Ok(Draft {
            object,
            meta: decoded.meta,
        })
    }

    /// Puts the decoded metadata into the object.
    pub(crate) fn write_back(&mut self, arena: &'a Arena) {
        let metadata = Value::Object(self.meta.encode_native(arena));
        self.object.insert(arena, "metadata", metadata);
    }

    /// The object as a value.
    #[must_use]
    pub fn value(&self) -> Value<'a> {
        Value::Object(self.object)
    }

    /// A member at a path; none if there is none, or null.
    #[must_use]
    pub fn get(&self, path: &[&str]) -> Option<Value<'a>> {
        self.value().lookup(path).filter(|value| !value.is_null())
    }

    /// Sets a member at a path.
    pub fn set(&mut self, arena: &'a Arena, path: &[&'a str], value: Value<'a>) {
        let mut object = self.value();
        object.set(arena, path, value);
        self.object = object.as_object().unwrap_or(self.object);
    }

    /// Removes a member at a path.
    pub fn unset(&mut self, arena: &'a Arena, path: &[&'a str]) {
        let mut object = self.value();
        object.unset(arena, path);
        self.object = object.as_object().unwrap_or(self.object);
    }

    /// Makes the metadata that clients may change that of another object (`ResetObjectMetaForStatus` in apimachinery's
    /// pkg/apis/meta/v1/meta.go).
    pub fn reset_metadata(&mut self, from: &Draft<'a>) {
        let old = &from.meta;
        self.meta.deletion_timestamp = old.deletion_timestamp;
        self.meta.generation = old.generation;
        self.meta.self_link = old.self_link;
        self.meta.labels = old.labels;
        self.meta.annotations = old.annotations;
        self.meta.finalizers = old.finalizers;
        self.meta.owner_references = old.owner_references;
    }

    /// Makes a member at the root that of another object, absence included.
    pub fn restore(&mut self, arena: &'a Arena, key: &'a str, from: &Draft<'a>) {
        match from.object.get(key) {
            Some(value) => self.object.insert(arena, key, value),
            None => self.object.remove(arena, key),
        };
    }
}

/// What a strategy is told when it prepares an object.
#[derive(Debug, Clone, Copy)]
pub struct Preparation<'c, 'a> {
    /// Where values live.
    pub arena: &'a Arena,
    /// The kind's type.
    pub plan: &'c Plan,
    /// The subresource; empty for the object itself.
    pub part: &'c str,
    /// The stored object, on update.
    pub old: Option<&'c Draft<'a>>,
    /// Who writes, as a `UserInfo`, if that is known.
    pub user: Option<Value<'a>>,
    /// The time: RFC 3339 in UTC, to the second.
    pub now: &'a str,
    /// A random uid, for whoever needs something random.
    pub uid: &'a str,
}

impl Preparation<'_, '_> {
    /// Are two members equal as Go values?
    #[must_use]
    pub fn is_same(&self, new: &Draft<'_>, old: &Draft<'_>, key: &str) -> bool {
        self.plan.is_same_member(key, new.value(), old.value())
    }
}

/// What a strategy is told when it validates an object.
#[derive(Debug, Clone, Copy)]
pub struct Change<'c> {
    /// The subresource; empty for the object itself.
    pub part: &'c str,
    /// The version of the URL.
    pub version: &'c str,
    /// The object.
    pub new: &'c Draft<'c>,
    /// The stored object, on update.
    pub old: Option<&'c Draft<'c>>,
    /// Whether objects live in namespaces.
    pub scope: Scope,
    /// What objects may be called.
    pub names: NameRule,
    /// Whether finalizers must be known or have a domain.
    pub checks_finalizers: bool,
    /// The kind's type.
    pub plan: &'c Plan,
}

const METADATA: Path<'static> = Path::root("metadata");

impl<'c> Change<'c> {
    /// Checks metadata as most kinds do: by itself when it is new, against the old one when it is not.
    pub fn validate_metadata(&self, errors: &mut Vec<FieldError>) {
        match self.old {
            None => self.validate_new_metadata(errors),
            Some(old) => meta::validate_update(&self.new.meta, &old.meta, &METADATA, errors),
        }
    }

    /// Checks metadata by itself (`ValidateObjectMeta`).
    pub fn validate_new_metadata(&self, errors: &mut Vec<FieldError>) {
        meta::validate_create(&self.new.meta, self.scope, self.names, &METADATA, errors);
        if self.checks_finalizers {
            let path = METADATA.child("finalizers");
            for (index, name) in self.new.meta.finalizer_names().enumerate() {
                rule::check_finalizer(&path.index(index), name, errors);
            }
        }
    }

    /// A member of the new object at a path; none if there is none, or null.
    #[must_use]
    pub fn get(&self, path: &[&str]) -> Option<Value<'c>> {
        self.new.get(path)
    }

    /// A member of the old object at a path; none if there is none, or null.
    #[must_use]
    pub fn get_old(&self, path: &[&str]) -> Option<Value<'c>> {
        self.old?.get(path)
    }

    /// Are two values of a member at the root equal as Go values?
    #[must_use]
    pub fn is_same(&self, key: &str) -> bool {
        let old = self.old.map_or(Value::Null, Draft::value);
        self.plan.is_same_member(key, self.new.value(), old)
    }
}
