//! Custom resources: objects that follow a published schema and no Go type.
//!
//! A [`Structure`] is compiled once from a [`kindsmith_schema::JsonSchema`]. Its passes are functions of values, as
//! those of a [`crate::Plan`]; unlike there, absent, `null` and zero are three things. Knows no documents, requests or
//! storage: the order of the passes is for the caller.

mod coerce;
mod compile;
mod default;
mod frozen;
#[allow(dead_code, reason = "the seam is wider than what its first readers use")]
mod layout;
mod nulls;
mod prune;
mod prune_defaults;
pub mod rules;
mod value;
mod walk;

pub use coerce::Coercion;
pub use compile::NotStructural;
pub use layout::Structure;
pub use prune::PrunedPaths;
pub use prune_defaults::NotServable;
