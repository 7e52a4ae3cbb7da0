//! CEL rules of custom resources (`x-kubernetes-validations`), compiled and run.
//!
//! Knows one value and its node; whether rules run at all is decided by the caller.

mod compile;
mod declare;
mod field_path;
mod scope;

use kindsmith_json::Value;
use kindsmith_schema::JsonSchema;

use super::layout::{Range, Structure};
use super::ratchet::Pair;
use super::validate::Verdict;

pub use compile::{CompiledRule, compile_rule};
pub use declare::declare;
pub use field_path::{Brackets, FieldPathError, FoundField, resolve as resolve_field_path};
pub use scope::{NotVisible, RuleScope};

/// All rules of a structure.
#[derive(Debug, Default)]
pub(crate) struct Tables {}

impl Tables {
    /// Bytes of memory outside the tables themselves.
    pub(crate) fn memory(&self) -> usize {
        0
    }
}

/// Compiles the rules of one node of the spine; `root` is whether it is the root, whose `self` is a resource.
///
/// Called once for every node that differs from the earlier ones; the depth of the schema below is bounded by then.
pub(crate) fn compile(_schema: &JsonSchema, _root: bool, _tables: &mut Tables) -> Range {
    Range::default()
}

/// Runs the rules at the root and below; `pair` holds the object together with the one it replaces.
pub(crate) fn run(
    _structure: &Structure,
    _object: Value<'_>,
    _pair: Option<&Pair<'_>>,
    _verdict: &mut Verdict,
) {
}
