//! What a kind does beyond its type's tags: one file per kind implements this.

use std::fmt;

use kindsmith_engine::FieldError;
use kindsmith_engine::meta::NameRule;
use kindsmith_json::{Arena, Value};

/// What a kind does beyond its type's tags. Everything has the answer of a plain kind.
pub trait Strategy: fmt::Debug + Send + Sync {
    /// What its objects may be called.
    fn name_rule(&self) -> NameRule {
        NameRule::Subdomain
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

    /// Whether the status is written separately, by `/status`.
    fn has_status(&self) -> bool {
        false
    }

    /// Fills in what Go code of the kind would default beyond tags.
    fn default<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let _ = arena;
        object
    }

    /// Changes an object before it is validated: drops what a write may not set.
    fn prepare<'a>(&self, arena: &'a Arena, object: Value<'a>, old: Option<Value<'a>>) -> Value<'a> {
        let _ = (arena, old);
        object
    }

    /// The rules that are written in code rather than in tags, metadata apart.
    fn validate(&self, object: Value<'_>, old: Option<Value<'_>>) -> Vec<FieldError> {
        let _ = (object, old);
        Vec::new()
    }

    /// Warnings about a valid object.
    fn warnings(&self, object: Value<'_>, old: Option<Value<'_>>) -> Vec<String> {
        let _ = (object, old);
        Vec::new()
    }
}

/// A kind that is all in its type.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plain;

impl Strategy for Plain {}
