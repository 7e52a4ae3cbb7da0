//! Programs and their evaluation: values, the plan of a checked expression, run-time cost.
//!
//! Reads the object in place and allocates results in an arena that lives as long as one evaluation. Evaluations are
//! pure: same program and inputs, same result and cost.

mod activation;
mod attribute;
pub(crate) mod context;
pub(crate) mod convert;
pub(crate) mod cost;
mod describe;
pub(crate) use describe::describe as describe_value;
pub(crate) mod equal;
mod exec;
mod fold;
pub(crate) mod json;
pub(crate) mod list;
pub(crate) mod message;
mod plan;
mod program;
mod quick;
mod scratch;
mod stack;
pub mod value;
pub mod view;

pub use activation::{Activation, Given, NAMES, Variable};
pub use context::{Inputs, Outcome};
pub use program::Program;
pub use scratch::Scratch;
