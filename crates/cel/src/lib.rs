//! CEL as the Kubernetes API server runs it for `x-kubernetes-validations`: parser, checker, static cost estimate, and
//! evaluator with run-time cost. Messages and costs are exactly the same.
//!
//! The crate knows no Kubernetes types: [`types::decl::Schema`] describes what an expression may see, JSON values are
//! read in place. No files, network, clock or environment.

pub mod access;
pub mod check;
pub mod cost;
pub mod device;
pub mod dialect;
pub mod escape;
pub mod eval;
pub mod library;
pub mod misspelled;
pub mod policy;
pub mod syntax;
pub mod types;
pub mod validation_rule;
