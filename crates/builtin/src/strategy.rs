//! What a kind does beyond its type's tags: one file per kind implements this.

use std::fmt;

use kindsmith_engine::OptionSet;
use kindsmith_json::{Arena, Value};
use kindsmith_object::FieldError;
use kindsmith_object::meta::NameRule;

use crate::{Change, DecodedObject, Preparation, Scaling, Subresource};

/// What a kind does beyond its type's tags. Everything has the answer of a plain kind.
pub trait Strategy: fmt::Debug + Send + Sync {
    /// What its objects may be called.
    fn name_rule(&self) -> NameRule {
        NameRule::Subdomain
    }

    /// Whether finalizers must be known or have a domain.
    fn checks_finalizers(&self) -> bool {
        true
    }

    /// Abbreviations: `cm`.
    fn short_names(&self) -> &'static [&'static str] {
        &[]
    }

    /// Groups of resources: `all`.
    fn categories(&self) -> &'static [&'static str] {
        &[]
    }

    /// What can be done, in the order of discovery.
    fn verbs(&self) -> &'static [&'static str] {
        ALL_VERBS
    }

    /// The parts of an object that have a path of their own.
    fn subresources(&self) -> &'static [Subresource] {
        &[]
    }

    /// How the object selects pods, if it can be scaled.
    fn scaling(&self) -> Option<Scaling> {
        None
    }

    /// Whether an update need not say which state it changes.
    fn allows_unconditional_update(&self) -> bool {
        true
    }

    /// Whether an update of an object that is not there creates it.
    fn creates_on_update(&self) -> bool {
        false
    }

    /// Whether a deletion answers the object instead of a `Status`.
    fn returns_deleted_object(&self) -> bool {
        false
    }

    /// What a deletion without a policy does to dependents.
    fn garbage_collection(&self) -> GarbageCollection {
        GarbageCollection::Background
    }

    /// Fields that a write through a subresource (empty for the object itself) does not own, because it drops them.
    fn reset_fields(&self, subresource: &str) -> &'static [&'static [&'static str]] {
        let _ = subresource;
        &[]
    }

    /// Fills in what Go code of the kind would default or convert beyond tags, before the tags' defaults.
    fn default<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let _ = arena;
        object
    }

    /// Changes an object before it is validated: drops what a write may not set, counts generations.
    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, decoded: &mut DecodedObject<'a>) {
        let _ = (preparation, decoded);
    }

    /// The rules that are written in code rather than in tags, those about metadata included.
    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        change.validate_metadata(errors);
    }

    /// Options that tags of the type ask for.
    fn options(&self) -> OptionSet {
        OptionSet::default()
    }

    /// What every request about the kind is told, refused ones included, if it is deprecated.
    fn deprecation(&self) -> Option<&'static str> {
        None
    }

    /// Warnings about a valid object.
    fn warnings(&self, change: &Change<'_>) -> Vec<String> {
        let _ = change;
        Vec::new()
    }

    /// Changes an object when it is first asked to go, beyond what its metadata says.
    fn begin_deletion<'a>(&self, arena: &'a Arena, decoded: &mut DecodedObject<'a>) {
        let _ = (arena, decoded);
    }

    /// Whether an object that is to go must stay for other reasons than its finalizers.
    fn holds(&self, decoded: &DecodedObject<'_>) -> bool {
        let _ = decoded;
        false
    }

    /// Whether objects are stored; a review is only answered.
    fn is_stored(&self) -> bool {
        true
    }

    /// Changes a valid object into the form in which it is stored.
    fn canonicalize<'a>(&self, arena: &'a Arena, decoded: &mut DecodedObject<'a>) {
        let _ = (arena, decoded);
    }
}

/// What a deletion without a policy does to dependents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GarbageCollection {
    /// They are deleted later.
    #[default]
    Background,
    /// They are orphaned.
    Orphan,
    /// The kind has none; policies add no finalizer.
    Unsupported,
}

/// All verbs of a resource that is stored, as discovery of built-in kinds lists them.
pub const ALL_VERBS: &[&str] = &[
    "create",
    "delete",
    "deletecollection",
    "get",
    "list",
    "patch",
    "update",
    "watch",
];

/// A kind that is all in its type.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plain;

impl Strategy for Plain {
    fn checks_finalizers(&self) -> bool {
        false
    }
}
