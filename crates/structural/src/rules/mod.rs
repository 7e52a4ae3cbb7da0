//! CEL rules of custom resources (`x-kubernetes-validations`), compiled and run.
//!
//! Knows one value and its node; the caller decides whether rules run at all.

mod build;
mod cache;
mod compile;
mod declare;
mod field_path;
mod occurrences;
mod run;
mod scope;
mod table;

use kindsmith_schema::JsonSchema;

use super::layout::Range;

pub(crate) use build::{finish, kind_of};
pub use cache::RuleCache;
pub use compile::{CompiledRule, compile_rule};
pub use declare::declare;
pub use field_path::{Brackets, FieldPathError, FoundField, resolve as resolve_field_path};
pub use occurrences::Occurrence;
pub use run::{Ratchet, RuleVerdict};
pub(crate) use run::{broken_rule, run};
pub use scope::{NotVisible, RuleScope};
pub(crate) use table::Tables;

/// Reserves space for the rules of one node of the spine; [`finish`] compiles them.
///
/// Called once for every node that differs from the earlier ones.
pub(crate) fn reserve(schema: &JsonSchema, tables: &mut Tables) -> Range {
    tables.reserve(schema.validations.len())
}
