//! Ownership of fields: what `update` and `apply` do to an object's `managedFields` (apimachinery
//! `pkg/util/managedfields/internal`).

mod apply;
mod cap;
mod conflict;
mod last_applied;
mod ownership;
mod prune;
mod strip;
mod update;
mod versions;

pub use apply::ApplyError;
pub use conflict::{Conflict, Conflicts};
pub use versions::{ConvertError, Versions};

use kindsmith_json::{Arena, Value};

use crate::managed::{self, ManagedEntry, Operation};

/// Keeps `managedFields` for writes through one endpoint.
///
/// Make one per request; it holds only references. Objects go in and come out at `api_version`.
#[derive(Clone, Copy)]
pub struct FieldManager<'m> {
    /// The kind's versions.
    pub versions: &'m dyn Versions,
    /// The endpoint's version, such as `apps/v1`.
    pub api_version: &'m str,
    /// The kind.
    pub kind: &'m str,
    /// The endpoint's subresource; empty for the object itself.
    pub subresource: &'m str,
}

impl FieldManager<'_> {
    /// The entry a manager writes to, without fields.
    fn entry<'a>(&self, arena: &'a Arena, manager: &str, operation: Operation) -> ManagedEntry<'a> {
        let manager = if manager.is_empty() { "unknown" } else { manager };
        ManagedEntry {
            manager: arena.alloc_str(manager),
            operation,
            api_version: arena.alloc_str(self.api_version),
            time: None,
            subresource: arena.alloc_str(self.subresource),
            fields: crate::FieldSet::EMPTY,
        }
    }
}

const MANAGED_FIELDS: [&str; 2] = ["metadata", "managedFields"];

fn managed_fields(object: Value<'_>) -> Option<Value<'_>> {
    object.lookup(&MANAGED_FIELDS)
}

/// The object without `managedFields`.
fn without_managed_fields<'a>(arena: &'a Arena, mut object: Value<'a>) -> Value<'a> {
    object.unset(arena, &MANAGED_FIELDS);
    object
}

/// The object with these entries as `managedFields`.
fn with_entries<'a>(arena: &'a Arena, object: Value<'a>, entries: Vec<ManagedEntry<'a>>) -> Value<'a> {
    with_managed_fields(arena, object, managed::encode(arena, entries))
}

fn with_managed_fields<'a>(arena: &'a Arena, mut object: Value<'a>, list: Option<Value<'a>>) -> Value<'a> {
    match list {
        Some(list) => object.set(arena, &MANAGED_FIELDS, list),
        None => _ = object.unset(arena, &MANAGED_FIELDS),
    }
    object
}

/// The object's name for messages, as `namespace/name; group/version, Kind=Kind`.
fn described(object: Value<'_>) -> String {
    let text = |keys: &[&str]| object.lookup(keys).and_then(Value::as_str).unwrap_or_default();
    let (namespace, name) = (text(&["metadata", "namespace"]), text(&["metadata", "name"]));
    format!(
        "{namespace}/{name}; {}",
        kind_text(text(&["apiVersion"]), text(&["kind"]))
    )
}

/// A kind for messages, as `apps/v1, Kind=Deployment`; the core group is empty.
fn kind_text(api_version: &str, kind: &str) -> String {
    let slash = if api_version.contains('/') { "" } else { "/" };
    format!("{slash}{api_version}, Kind={kind}")
}
