//! Admission policies: `ValidatingAdmissionPolicy` and `MutatingAdmissionPolicy` with their bindings.
//!
//! [`Policies`] holds them, compiled; [`validate`] and the mutating webhooks' [`mutate`](crate::mutate) take a request
//! through them. Cluster state comes from a [`Cluster`].

mod binding;
mod cluster;
mod decide;
mod definition;
mod mutate;
mod params;
mod patch;
mod policies;
mod validate;

pub use binding::Binding;
pub use cluster::{Cluster, Param, ParamScope};
pub use definition::{MutatingPolicy, Mutation, ParamKind, ValidatingPolicy, Validation};
pub(crate) use mutate::Mutations;
pub use policies::{PREFIXES, Policies};
pub use validate::validate;
