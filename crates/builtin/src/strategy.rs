//! What the tags of a kind's Go type do not say: one file per kind implements this.

use std::fmt;

use kindsmith_engine::OptionSet;
use kindsmith_json::{Arena, Value};
use kindsmith_object::FieldError;
use kindsmith_object::meta::NameRule;

use crate::table::Table;
use crate::{Change, Conversion, DecodedObject, Names, Preparation, Scaling, Subresource};

/// What the tags of a kind's Go type do not say. The defaults are those of a plain kind.
pub trait Strategy: fmt::Debug + Send + Sync {
    /// Which names are valid.
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

    /// The verbs, in the order of discovery.
    fn verbs(&self) -> &'static [&'static str] {
        ALL_VERBS
    }

    /// The subresources.
    fn subresources(&self) -> &'static [Subresource] {
        &[]
    }

    /// How objects select pods, if the kind can be scaled.
    fn scaling(&self) -> Option<Scaling> {
        None
    }

    /// The columns and rows that `kubectl get` shows. A strategy of several kinds tells them apart by their names.
    fn table(&self, names: &Names) -> Table {
        let _ = names;
        Table::DEFAULT
    }

    /// The fields that field selectors may name; none for kinds that have only name and namespace.
    fn selectable_fields(&self, names: &Names) -> Option<&'static [&'static str]> {
        let _ = names;
        None
    }

    /// The text of a selectable field that is not simply the value at its path.
    fn selectable_text<'a>(&self, field: &str, object: Value<'a>) -> Option<&'a str> {
        let _ = (field, object);
        None
    }

    /// How many seconds an object is stored, if not forever.
    fn lifetime_seconds(&self) -> Option<u64> {
        None
    }

    /// How objects become those of the version that is stored, if that has other fields.
    fn conversion(&self) -> Option<&'static Conversion> {
        None
    }

    /// Where objects are stored, if not where the name of the resource says.
    fn key_prefix(&self) -> Option<&'static str> {
        None
    }

    /// Whether an update need not name the `resourceVersion` that it changes.
    fn allows_unconditional_update(&self) -> bool {
        true
    }

    /// Whether an update of an object that does not exist creates it.
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

    /// Sets defaults that tags cannot express, before the defaults of tags.
    fn default<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let _ = arena;
        object
    }

    /// Hands out what objects hold exclusively, such as addresses, before the object is prepared and validated.
    ///
    /// # Errors
    ///
    /// The answer to an object that asks for what cannot be had.
    fn begin<'a>(
        &self,
        preparation: &Preparation<'_, 'a>,
        decoded: &mut DecodedObject<'a>,
    ) -> Result<(), Refusal> {
        let _ = (preparation, decoded);
        Ok(())
    }

    /// Changes an object before it is validated: drops what a write may not set, counts generations.
    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, decoded: &mut DecodedObject<'a>) {
        let _ = (preparation, decoded);
    }

    /// Checks the rules that tags cannot express, those about metadata included.
    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        change.validate_metadata(errors);
    }

    /// Options that tags of the type refer to.
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

    /// Whether the first deletion only marks the object, as [`begin_deletion`](Self::begin_deletion) does.
    fn is_deleted_in_steps(&self) -> bool {
        false
    }

    /// Changes an object when its deletion begins, beyond its metadata.
    fn begin_deletion<'a>(&self, arena: &'a Arena, decoded: &mut DecodedObject<'a>) {
        let _ = (arena, decoded);
    }

    /// Whether an object that is being deleted must stay for other reasons than its finalizers.
    fn holds(&self, decoded: &DecodedObject<'_>) -> bool {
        let _ = decoded;
        false
    }

    /// Whether objects are stored; reviews are not.
    fn is_stored(&self) -> bool {
        true
    }

    /// Brings a valid object into the form that is stored.
    fn canonicalize<'a>(&self, arena: &'a Arena, decoded: &mut DecodedObject<'a>) {
        let _ = (arena, decoded);
    }
}

/// Why an object does not get what it asks for.
#[derive(Debug)]
pub enum Refusal {
    /// The object asks for something wrong.
    Invalid(Vec<FieldError>),
    /// Something else is wrong.
    Internal(String),
}

/// What a deletion without a policy does to dependents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GarbageCollection {
    /// They are deleted later.
    #[default]
    Background,
    /// They are orphaned.
    Orphan,
    /// The kind has no dependents; policies add no finalizer.
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

/// A kind whose type says everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plain;

impl Strategy for Plain {
    fn checks_finalizers(&self) -> bool {
        false
    }
}
