//! Server-side apply: who owns which fields of an object, and how an applied configuration changes it. Also the other
//! kinds of [`patch`]. For controllers: the [`effective`] state of a resource outside of the cluster.
//!
//! Everything is a pure function over values in an arena. A [`Topology`] says how values of a kind merge, a
//! [`FieldSet`] names fields, [`managed`] reads and writes `metadata.managedFields`, and a [`FieldManager`] puts them
//! together: [`FieldManager::update`] for ordinary writes, [`FieldManager::apply`] for applied configurations.
//! The caller converts between versions, through [`Versions`]. Behavior and messages are those of Kubernetes'
//! API server (apimachinery `pkg/util/managedfields`, structured-merge-diff).
//!
//! Knows no transport, store, clock or files.
//!
//! ```
//! use kindsmith_json::{Arena, parse_str, to_string};
//! use kindsmith_merge::Topology;
//!
//! let topology = Topology::deduced();
//! let arena = Arena::new();
//! let live = parse_str(&arena, r#"{"spec": {"size": 1, "color": "red"}}"#)?;
//! let config = parse_str(&arena, r#"{"spec": {"size": 2}}"#)?;
//! assert_eq!(topology.field_set(&arena, config).path_texts(), [".spec", ".spec.size"]);
//! let merged = topology.merge(&arena, live, config);
//! assert_eq!(to_string(merged), r#"{"spec":{"size":2,"color":"red"}}"#);
//! assert_eq!(topology.compare(&arena, live, merged).modified.path_texts(), [".spec.size"]);
//! # Ok::<(), kindsmith_json::ReadError>(())
//! ```

pub mod effective;
pub mod managed;
pub mod patch;

mod element;
mod element_text;
mod manager;
mod noop;
mod order;
mod reset;
mod scale;
mod set;
mod topology;
mod typed;

pub use element::{Element, KeyField};
pub use managed::{EntryError, ManagedEntry, Operation};
pub use manager::{ApplyError, Conflict, Conflicts, ConvertError, FieldManager, Versions};
pub use noop::keep_times;
pub use reset::ResetFields;
pub use scale::ScaleMapping;
pub use set::{DecodeError, FieldSet, PathText};
pub use topology::Topology;
pub use typed::{Comparison, Duplicates, Foreign, SchemaError, SchemaErrors};

/// Values and sets nested deeper than this count as one leaf, so that no input overflows the stack.
pub const MAX_DEPTH: usize = 256;
