//! The interface for what the tags of a Go type cannot express: each kind implements it in its own file.

mod change;
mod names;
mod scale_paths;
mod settings;
mod stored_version;
mod subresource;

use std::borrow::Cow;

use std::fmt;

use kindsmith_json::{Arena, Value};
use kindsmith_object::meta::NameRule;
use kindsmith_object::{Behavior, FieldError, Gate, Release};

use crate::DecodedObject;
use crate::table::{Completion, Table};

pub use change::{Change, Preparation};
pub use names::Names;
pub use scale_paths::ScalePaths;
pub use settings::Settings;
pub use stored_version::{Conversion, Convert};
pub use subresource::{Scaling, Subresource};

/// What the tags of a kind's Go type cannot express. The default methods are those of a plain kind.
pub trait Strategy: fmt::Debug + Send + Sync {
    /// Which names are valid.
    fn name_rule(&self) -> NameRule {
        NameRule::Subdomain
    }

    /// Which names are valid in a release.
    fn name_rule_in(&self, release: Release) -> NameRule {
        let _ = release;
        self.name_rule()
    }

    /// Whether finalizers must be known or have a domain.
    fn checks_finalizers(&self) -> bool {
        true
    }

    /// Whether an error that several checks find is told by each of them, as by a kind without declarative validation
    /// (`ValidateUpdate` in apiserver's pkg/registry/rest/update.go).
    fn repeats_errors(&self) -> bool {
        false
    }

    /// Short names: `cm`.
    fn short_names(&self) -> &'static [&'static str] {
        &[]
    }

    /// Categories: `all`.
    fn categories(&self) -> &'static [&'static str] {
        &[]
    }

    /// The verbs, in discovery order.
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

    /// The columns and rows of `kubectl get`. A strategy shared by several kinds distinguishes them by name.
    fn table(&self, names: &Names) -> Table {
        let _ = names;
        Table::DEFAULT
    }

    /// The table of releases without a behavior.
    fn earlier_table(&self) -> Option<(Behavior, Table)> {
        None
    }

    /// Which rows of the table are marked as completed; `None` if the kind has no end.
    fn completion(&self) -> Option<Completion> {
        None
    }

    /// The fields that field selectors may use; `None` for only name and namespace.
    fn selectable_fields(&self, names: &Names) -> Option<&'static [&'static str]> {
        let _ = names;
        None
    }

    /// The text of a selectable field, if it is not simply the value at its path.
    fn selectable_text<'a>(&self, field: &str, object: Value<'a>) -> Option<Cow<'a, str>> {
        let _ = (field, object);
        None
    }

    /// The error for a selector with a field that is not selectable.
    fn not_selectable(&self, field: &str) -> String {
        format!("field label not supported: {field}")
    }

    /// How many seconds an object is stored, if not forever.
    fn lifetime_seconds(&self) -> Option<u64> {
        None
    }

    /// How objects become those of the version that is stored, if that has other fields.
    fn conversion(&self) -> Option<&'static Conversion> {
        None
    }

    /// Whether an update need not name the `resourceVersion` that it changes.
    fn allows_unconditional_update(&self) -> bool {
        true
    }

    /// The member by whose number the rows of a table are sorted; by name without one.
    fn table_order(&self) -> Option<&'static [&'static str]> {
        None
    }

    /// Whether an update of an object that does not exist creates it.
    fn creates_on_update(&self) -> bool {
        false
    }

    /// Whether a configuration that is applied to the status of an object that does not exist creates it.
    fn creates_on_status_apply(&self) -> bool {
        self.creates_on_update()
    }

    /// What a deletion without a propagation policy does to dependents.
    fn garbage_collection(&self) -> GarbageCollection {
        GarbageCollection::Background
    }

    /// The fields that a write through a subresource (empty for the object itself) drops and therefore does not own.
    fn reset_fields(&self, subresource: &str) -> &'static [&'static [&'static str]] {
        let _ = subresource;
        &[]
    }

    /// The same, as a release resets them.
    fn reset_fields_in(&self, release: Release, subresource: &str) -> &'static [&'static [&'static str]] {
        let _ = release;
        self.reset_fields(subresource)
    }

    /// Sets defaults that tags cannot express, before the defaults of tags.
    fn default<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let _ = arena;
        object
    }

    /// The same, as a release sets them.
    fn default_in<'a>(&self, release: Release, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let _ = release;
        self.default(arena, object)
    }

    /// Sets defaults of a written object after all others: those that depend on the time, and values that two fields share.
    fn default_written<'a>(&self, arena: &'a Arena, object: Value<'a>, now: &'a str) -> Value<'a> {
        let _ = (arena, now);
        object
    }

    /// Why an object of the type cannot be converted to the reference's internal form, if it cannot.
    fn conversion_error(&self, object: Value<'_>) -> Option<String> {
        let _ = object;
        None
    }

    /// The object as managed fields see it, if conversion from the reference's internal form adds something.
    fn tracked<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let _ = arena;
        object
    }

    /// Where the spec of pods is, in kinds that have one. Fields behind disabled feature gates are dropped from it when an object
    /// is prepared, so that managed fields and mutating webhooks still see them.
    fn pod_spec(&self) -> Option<&'static [&'static str]> {
        None
    }

    /// Hands out what objects hold exclusively, such as addresses, before the object is prepared and validated.
    ///
    /// # Errors
    ///
    /// The error for an object whose request cannot be met.
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

    /// Checks the rules that tags cannot express, including those for metadata.
    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        change.validate_metadata(errors);
    }

    /// Feature gates that the type's tags name.
    fn gates(&self) -> &'static [Gate] {
        &[]
    }

    /// The warning for every request, including rejected ones, if the kind is deprecated.
    fn deprecation(&self) -> Option<&'static str> {
        None
    }

    /// Warnings about a valid object.
    fn warnings(&self, change: &Change<'_>) -> Vec<String> {
        let _ = change;
        Vec::new()
    }

    /// The warning for a deletion without a propagation policy.
    fn deletion_warning(&self) -> Option<&'static str> {
        None
    }

    /// Whether the first deletion only marks the object, as [`begin_deletion`](Self::begin_deletion) does.
    fn is_deleted_in_steps(&self) -> bool {
        false
    }

    /// Changes an object when its deletion begins, except its metadata.
    fn begin_deletion<'a>(&self, arena: &'a Arena, decoded: &mut DecodedObject<'a>) {
        let _ = (arena, decoded);
    }

    /// For how many seconds an object is kept after its deletion began, for kinds that end by themselves; `requested` are
    /// those of the request.
    fn grace_period_seconds(&self, object: Value<'_>, requested: Option<i64>) -> Option<i64> {
        let _ = (object, requested);
        None
    }

    /// Whether an object that is being deleted must be kept even without metadata finalizers.
    fn holds(&self, decoded: &DecodedObject<'_>) -> bool {
        let _ = decoded;
        false
    }

    /// Whether objects are stored; reviews are not.
    fn is_stored(&self) -> bool {
        true
    }

    /// Whether a new object has a name, given or generated; reviews have none.
    fn needs_name(&self) -> bool {
        true
    }

    /// Converts a valid object to its stored form.
    fn canonicalize<'a>(&self, arena: &'a Arena, decoded: &mut DecodedObject<'a>) {
        let _ = (arena, decoded);
    }
}

/// Why an object's request cannot be met.
#[derive(Debug)]
pub enum Refusal {
    /// The request is invalid.
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

/// All verbs of a stored resource, in the order of discovery.
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

/// A kind whose tags express everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plain;

impl Strategy for Plain {
    fn checks_finalizers(&self) -> bool {
        false
    }
}
