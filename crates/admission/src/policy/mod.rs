//! Admission policies: `ValidatingAdmissionPolicy` and `MutatingAdmissionPolicy` with their bindings.
//!
//! [`Policies`] holds them, compiled; [`validate`] and the mutating webhooks' `mutate` take a request
//! through them. Cluster state comes from a [`Cluster`].

mod binding;
mod cluster;
mod decide;
mod definition;
mod mutate;
mod params;
mod patch;
mod policies;
mod published;
mod type_check;
mod validate;

pub use binding::Binding;
pub use cluster::{Cluster, Param, ParamScope};
pub use kindsmith_cel::types::decl::Schema;

pub use definition::{MutatingPolicy, Mutation, ParamKind, ValidatingPolicy, Validation};
pub(crate) use mutate::Mutations;
pub use policies::{PREFIXES, Policies};
pub use published::read_schema;
pub use type_check::{ExpressionWarning, Kinds, expression_warnings};
pub use validate::validate;
