//! Programs and their evaluation: values, the plan of a checked expression, run-time cost.
//!
//! Reads the object in place and allocates results in an arena that lives as long as one evaluation. Evaluations are
//! pure: same program and inputs, same result and cost.

mod activation;
mod compared;
pub(crate) mod context;
pub(crate) mod convert;
pub(crate) mod cost;
mod describe;
pub(crate) use describe::describe as describe_value;
pub(crate) use number::compare_numbers;
pub(crate) mod equal;
mod exec;
pub(crate) mod json;
pub(crate) mod list;
mod number;
mod plan;
mod plan_error;
mod program;
mod quick;
mod run;
mod scratch;
mod simple;
mod stack;
pub(crate) mod time;
pub mod value;
pub mod view;

pub use activation::{Activation, Given, NAMES, Variable};
pub use context::{Inputs, Outcome};
pub use plan_error::PlanError;
pub use program::{Program, Reads};
pub use scratch::Scratch;
