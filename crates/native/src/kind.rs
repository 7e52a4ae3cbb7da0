//! One built-in kind in one version.

use std::sync::Arc;

use kindsmith_engine::Plan;
use kindsmith_engine::meta::Scope;
use kindsmith_schema::{Schema, Str, TypeId};

use crate::Strategy;

/// What a kind is called.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// The API group; empty for the core group.
    pub group: Str,
    /// The version: `v1`.
    pub version: Str,
    /// The kind: `ConfigMap`.
    pub kind: Str,
    /// The resource, as in the path: `configmaps`.
    pub plural: Str,
    /// The resource for one object: `configmap`.
    pub singular: Str,
    /// Abbreviations: `cm`.
    pub short_names: Vec<Str>,
    /// Groups of resources: `all`.
    pub categories: Vec<Str>,
}

/// One built-in kind in one version, as it is served.
#[derive(Debug)]
pub struct Kind {
    /// What it is called.
    pub names: Names,
    /// Whether objects live in namespaces.
    pub scope: Scope,
    /// The schema its type is of.
    pub schema: Arc<Schema>,
    /// Its type.
    pub ty: TypeId,
    /// Its type, compiled.
    pub plan: Plan,
    /// What the type's tags do not say.
    pub strategy: &'static dyn Strategy,
}
