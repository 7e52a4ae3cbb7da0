//! The input of a strategy when it prepares and validates an object.

use std::cell::RefCell;
use std::fmt;

use kindsmith_engine::Plan;
use kindsmith_json::{Arena, Path, Value};
use kindsmith_object::meta::{self, NameRule, Scope};
use kindsmith_object::{FieldError, Release};
use kindsmith_request::{Admission, DecodedObject, Pools};

use crate::field_check;

/// What a strategy sees when it prepares an object.
#[derive(Clone, Copy)]
pub struct Preparation<'c, 'a> {
    /// The arena of all values.
    pub arena: &'a Arena,
    /// The release whose rules hold.
    pub release: Release,
    /// The kind's type.
    pub plan: &'c Plan,
    /// The subresource; empty for the object itself.
    pub subresource: &'c str,
    /// The stored object, on update.
    pub old: Option<&'c DecodedObject<'a>>,
    /// The user, as a `UserInfo`, if known.
    pub user: Option<Value<'a>>,
    /// The current time: RFC 3339 in UTC, to the second.
    pub now: &'a str,
    /// A random UID, for strategies that need random data.
    pub uid: &'a str,
    /// Whether nothing is stored.
    pub is_dry_run: bool,
    /// What can be handed out.
    pub pools: &'c dyn Pools,
    /// Which admission plugins act.
    pub admission: &'c dyn Admission<'a>,
    /// Warnings that are sent whether the object is valid or not.
    pub warnings: &'c RefCell<Vec<String>>,
}

impl fmt::Debug for Preparation<'_, '_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Preparation")
            .field("subresource", &self.subresource)
            .field("now", &self.now)
            .finish_non_exhaustive()
    }
}

impl Preparation<'_, '_> {
    /// Whether two values of a member are equal as Go values.
    #[must_use]
    pub fn is_same(&self, new: &DecodedObject<'_>, old: &DecodedObject<'_>, key: &str) -> bool {
        self.is_same_at(new, old, &[key])
    }

    /// Whether two values of a member at a path are equal as Go values.
    #[must_use]
    pub fn is_same_at(&self, new: &DecodedObject<'_>, old: &DecodedObject<'_>, path: &[&str]) -> bool {
        self.plan.is_same_member(path, new.value(), old.value())
    }
}

/// The input of [`Strategy::validate`](crate::Strategy::validate).
#[derive(Debug, Clone, Copy)]
pub struct Change<'c> {
    /// The release whose rules hold.
    pub release: Release,
    /// The subresource; empty for the object itself.
    pub subresource: &'c str,
    /// The group of the URL.
    pub group: &'c str,
    /// The version of the URL.
    pub version: &'c str,
    /// The current time: RFC 3339 in UTC, to the second.
    pub now: &'c str,
    /// The object.
    pub new: &'c DecodedObject<'c>,
    /// The stored object, on update.
    pub old: Option<&'c DecodedObject<'c>>,
    /// Whether objects are namespaced.
    pub scope: Scope,
    /// Which names are valid.
    pub names: NameRule,
    /// Whether finalizers must be known or have a domain.
    pub checks_finalizers: bool,
    /// The kind's type.
    pub plan: &'c Plan,
}

const METADATA: Path<'static> = Path::root("metadata");

impl<'c> Change<'c> {
    /// Validates metadata as most kinds do: alone on create, against the old metadata on update.
    pub fn validate_metadata(&self, errors: &mut Vec<FieldError>) {
        match self.old {
            None => self.validate_new_metadata(errors),
            Some(old) => {
                meta::validate_update(&self.new.meta, &old.meta, &METADATA, errors);
                self.validate_finalizers(errors);
            }
        }
    }

    /// Validates metadata alone (`ValidateObjectMeta`).
    pub(crate) fn validate_new_metadata(&self, errors: &mut Vec<FieldError>) {
        meta::validate_create(&self.new.meta, self.scope, self.names, &METADATA, errors);
        self.validate_finalizers(errors);
    }

    fn validate_finalizers(&self, errors: &mut Vec<FieldError>) {
        if !self.checks_finalizers {
            return;
        }
        let path = METADATA.child("finalizers");
        for (index, name) in self.new.meta.finalizer_names().enumerate() {
            field_check::check_finalizer(&path.index(index), name, errors);
        }
    }

    /// A member of the new object at a path; `None` if it is absent or null.
    #[must_use]
    pub fn get(&self, path: &[&str]) -> Option<Value<'c>> {
        self.new.get(path)
    }

    /// A member of the old object at a path; `None` if it is absent or null.
    #[must_use]
    pub(crate) fn get_old(&self, path: &[&str]) -> Option<Value<'c>> {
        self.old?.get(path)
    }

    /// Whether two values of a root member are equal as Go values.
    #[must_use]
    pub fn is_same(&self, key: &str) -> bool {
        let old = self.old.map_or(Value::Null, DecodedObject::value);
        self.plan.is_same_member(&[key], self.new.value(), old)
    }
}
