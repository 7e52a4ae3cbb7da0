//! Cost: the rules for what calls charge, and the estimate of the least and the most an expression can cost, from the
//! bounds that its schema declares.
//!
//! The table has the rules, `charge` interprets them for estimates and for running programs, `estimate`
//! walks checked trees. Runs nothing.

pub(crate) mod amount;
mod call;
pub(crate) mod charge;
mod estimate;
pub mod limit;
mod place;

pub(crate) mod price;
pub(crate) mod table;

pub use amount::Range;
pub use estimate::estimate;
pub(crate) use estimate::estimate_selector;

/// The least and the most an evaluation can cost.
pub type CostEstimate = Range;
