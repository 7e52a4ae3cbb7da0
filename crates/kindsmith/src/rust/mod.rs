//! Rust types as API types. With the feature `derive`, `#[derive(kindsmith::Schema)]` and `#[derive(kindsmith::Resource)]`
//! implement the traits of the same names.
//!
//! ```
//! # use kindsmith_derive::{Resource, Schema}; /*
//! use kindsmith::{Resource, Schema};
//! # */
//!
//! /// A gate of a park.
//! #[derive(Resource)]
//! #[k8s(group = "park.example.org", version = "v1", kind = "Gate", short_names("gt"))]
//! #[k8s(rule("self.width < 400 || has(self.keeper)", message = "a wide gate has a keeper"))]
//! struct GateSpec {
//!     /// Width in centimeters.
//!     #[k8s(minimum = 60, default = 120)]
//!     width: Option<i32>,
//!     #[k8s(max_length = 63)]
//!     keeper: Option<String>,
//!     #[k8s(list_type = "set")]
//!     days: Vec<Day>,
//! }
//!
//! #[derive(Schema)]
//! enum Day {
//!     Saturday,
//!     Sunday,
//! }
//!
//! let crd = kindsmith::crd::<GateSpec>()?;
//! assert!(crd.contains("name: gates.park.example.org"));
//!
//! let kinds = kindsmith::Kinds::of::<GateSpec>()?;
//! let review = kinds.admit(&serde_json::json!({
//!     "apiVersion": "park.example.org/v1",
//!     "kind": "Gate",
//!     "metadata": {"name": "north"},
//!     "spec": {"width": 40, "days": ["Saturday"]},
//! }))?;
//! let errors: Vec<String> = review.errors.iter().map(ToString::to_string).collect();
//! assert_eq!(errors, ["spec.width: Invalid value: 40: spec.width in body should be greater than or equal to 60"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A type is described by [`Declaration`]s, which become Go types with tags, and these are read like any other Go
//! package: so the schema is the one of the same API in Go. Must not know Rust syntax: the macros do.

mod api;
mod checked;
#[cfg(feature = "k8s-openapi")]
mod kubernetes;
mod kubernetes_types;
mod metadata;
mod schema;
pub mod typed;
mod validate;

pub use api::{Api, crd};
pub use checked::Checked;
pub use kindsmith_rust::{Body, Declaration, Field, GoType, Presence, Text, Types, Variant};
pub use kubernetes_types::kubernetes_schemas;
pub use schema::{Kind, Resource, Schema, may_be_absent};
pub use validate::Validate;
