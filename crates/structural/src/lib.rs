//! Custom resources: objects that follow a published schema instead of a Go type.
//!
//! A [`StructuralSchema`] is compiled once from a [`kindsmith_schema::JsonSchema`]. Its passes are functions of values, as
//! those of a `Plan` in `engine`; unlike there, absent, `null` and zero are three things. Knows no documents, requests or
//! storage: the order of the passes is for the caller.

pub mod below;
mod coerce;
mod compile;
mod default;
mod default_count;
pub mod direct;
mod embedded;
mod find;
mod frozen;
mod known_valid;
mod layout;
mod list_type;
mod nulls;
mod prune;
mod prune_defaults;
mod range;
mod ratchet;
pub mod rules;
mod scale;
mod validate;
mod value;
mod walk;

pub use coerce::Coercion;
pub use compile::NotStructural;
pub use default_count::{MOST_DEFAULTED, defaults_fit};
pub use known_valid::KnownValid;
pub use layout::StructuralSchema;
pub use prune::PrunedPaths;
pub use prune_defaults::NotServable;
pub use scale::{ScaleError, ScalePaths, ScaleValues};
pub use validate::{Part, StructuralChange, Validation};
pub use value::{Mode, NUMERIC_RANGE, Name, Point, ValuePlan};
