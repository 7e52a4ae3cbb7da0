//! Kubernetes API machinery for Rust programs: objects checked, defaulted and pruned exactly as the Kubernetes API server
//! does, without a server. Answers are those of Kubernetes 1.37, the newest release that is out; [`Kinds::with_release`]
//! chooses another, from 1.34 to 1.38.
//!
//! | I want to | Start at |
//! |---|---|
//! | check objects against CRDs | [`Kinds::from_crds`], [`Kinds::from_crd_directory`], then [`Kinds::admit`] |
//! | write API types in Rust (feature `derive`) | [`Schema`], [`Resource`], then [`crd`], [`Kinds::of`] or [`rust::Api`] |
//! | check objects against Go API types | [`Kinds::from_go`], then [`Kinds::admit`] |
//! | check objects of built-in kinds | [`Kinds::default`], then [`Kinds::admit`] |
//! | check a change of an object | [`Kinds::admit_update`], [`Kinds::admit_subresource`] |
//! | see what was defaulted, pruned, warned of | [`Review`] |
//! | try a server-side apply (feature `api`) | `apply::DryRun` |
//! | get the reviewed object as a type of my own | [`Review::typed`] |
//! | embed an API server in a program (feature `server`) | `Server::builder` |
//! | run an API server in a test (feature `server`; `kube-latest` for clients, or `kube` beside a version of k8s-openapi) | `test_server::TestServer` |
//! | move hand-written rules to tags (feature `server`) | `migration` |
//! | evaluate CEL expressions and their cost | [`cel::Subject`] |
//! | review many objects fast, with options or a trace | [`Kinds::review`] with an [`Arena`] |
//!
//! ```
//! use kindsmith::Kinds;
//! use serde_json::json;
//!
//! let kinds = Kinds::from_crds(include_str!("../../../fixtures/gate/crd.yaml"))?;
//! let gate = json!({
//!     "apiVersion": "park.example.org/v1",
//!     "kind": "Gate",
//!     "metadata": {"name": "north"},
//!     "spec": {"name": "North", "hours": [{"day": "Mon", "from": 9, "to": 7}]},
//! });
//! let review = kinds.admit(&gate)?;
//!
//! let errors: Vec<String> = review.errors.iter().map(ToString::to_string).collect();
//! assert_eq!(errors, ["spec.hours[0]: Invalid value: a gate opens before it closes"]);
//! assert_eq!(review.defaulted[0].path.to_string(), "spec.width");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Input and output are `serde_json::Value` or anything that serde can serialize, in one pass ([`bridge`]). The crates
//! behind this one (`kindsmith-crd`, `kindsmith-engine`, `kindsmith-structural`, …) can be used by themselves.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(feature = "api")]
pub mod apply;
pub mod bridge;
pub mod cause;
#[cfg(feature = "cel")]
pub mod cel;
pub mod crds;
pub mod files;
#[cfg(feature = "go")]
pub mod go_types;
#[cfg(feature = "api")]
pub mod local_api;
#[cfg(feature = "go")]
pub mod marker_cause;
#[cfg(feature = "go")]
pub mod marker_place;
#[cfg(feature = "server")]
pub mod migration;
#[cfg(feature = "go")]
pub mod rust;
#[cfg(feature = "server")]
pub mod server;
#[cfg(feature = "server")]
pub mod test_server;
#[cfg(feature = "server")]
pub mod testing {
    //! Servers for tests.
    pub use crate::test_server::TestServer;
}

#[cfg(feature = "go")]
mod builtin_kind;
#[cfg(feature = "go")]
pub mod controller_gen_kinds;
#[cfg(not(feature = "go"))]
mod crd_kinds;
mod custom_resource;
mod definition;
mod field_suggestion;
#[cfg(feature = "go")]
mod go_kinds;
mod kinds;
mod misfit;
#[cfg(feature = "go")]
mod object_metadata;
mod removed;
mod review;
mod system_fields;
mod value_edit;
mod write;

pub use definition::is_definition;
pub use kinds::{AdmitError, Kinds, LoadError, Problem};
pub use kindsmith_checks::Profile;
#[cfg(feature = "derive")]
pub use kindsmith_derive::{Resource, Schema};
pub use kindsmith_engine::{Operation, OptionSet};
pub use kindsmith_json::path::PathBuf as FieldPath;
pub use kindsmith_json::{Arena, Value, yaml};
pub use kindsmith_object::{About, BadValue, Detail, ErrorKind, FieldError, GroupVersion, Release};
pub use removed::{Removed, Replacement, removed, removed_versions};
pub use review::{
    Action, ArenaReview, Defaulted, Rejection, Review, TraceStep, Wanted, Warning, WarningReason,
};
#[cfg(feature = "go")]
pub use rust::{Resource, Schema, Validate, crd};
#[cfg(feature = "server")]
pub use server::Server;
pub use write::{Steps, Write};
