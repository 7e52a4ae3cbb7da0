//! Which checks apply to a write of a CRD.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use kindsmith_schema::{JsonSchema, Str};

/// How many selectable fields a version may have.
pub(super) const MAX_SELECTABLE_FIELDS: usize = 8;

/// Which checks apply to this write (`validationOptions`).
#[derive(Debug, Clone)]
pub(super) struct Demands {
    /// Why defaults are forbidden; `None` allows them.
    pub(super) defaults: Option<Refused<'static>>,
    /// Conversion webhooks must support a known review version.
    pub(super) review_versions: bool,
    /// Scope and kind must not change.
    pub(super) immutable_names: bool,
    /// Every version must have a schema.
    pub(super) schemas: bool,
    /// Types must be OpenAPI types.
    pub(super) known_types: bool,
    /// Schemas must be structural.
    pub(super) structural: bool,
    /// Defaults must not contain unknown fields.
    pub(super) pruned_defaults: bool,
    /// The schemas before the write, by version, whose wrong defaults may stay.
    pub(super) old_schemas: HashMap<Str, Arc<JsonSchema>>,
    /// The one of the version that is checked.
    pub(super) old_schema: Option<Arc<JsonSchema>>,
    /// Items of sets must be atomic.
    pub(super) atomic_sets: bool,
    /// Keys of map lists must be required or have a default, and items of sets and maps must not be nullable.
    pub(super) map_keys: bool,
    /// The CA bundle of a conversion webhook must parse.
    pub(super) ca_bundle: bool,
    /// Protected groups need an approval, and `preserveUnknownFields` is forbidden.
    pub(super) v1: bool,
    /// Versions whose schema did not change.
    pub(super) unchanged: HashSet<Str>,
    /// Versions that may keep too many selectable fields; the empty name is for the fields shared by all versions.
    pub(super) many_selectable: HashSet<Str>,
    /// The limit on the cost of one expression is not enforced.
    pub(super) suppress_expression_cost: bool,
}

/// Where a default is forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused<'p> {
    /// Everywhere, for this reason, which may be empty.
    Everywhere(&'static str),
    /// In the top-level property of this name.
    TopLevel(&'p str),
    /// In the values of a map inside metadata.
    MetadataMap,
}

impl Demands {
    /// The checks that apply to the schema of one version.
    pub(super) fn for_version(&self, name: &str) -> Demands {
        Demands {
            suppress_expression_cost: self.unchanged.contains(name),
            old_schema: self.old_schemas.get(name).cloned(),
            ..self.clone()
        }
    }
}
