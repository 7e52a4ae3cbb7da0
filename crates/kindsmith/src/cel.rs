//! Evaluates CEL expressions at a node of a schema on the values there, with their cost.

use std::fmt;

use kindsmith_cel::cost::limit::PER_CALL;
use kindsmith_cel::dialect::Dialect;
use kindsmith_cel::eval::value::Value as Cel;
use kindsmith_cel::eval::{Inputs, Program, Scratch};
use kindsmith_cel::types::decl::{Declarations, Nodes};
use kindsmith_cel::validation_rule::{CompileFailure, check_expression};
use kindsmith_json::{Arena, Value};
use kindsmith_object::Release;
use kindsmith_schema::{JsonSchema, SpineStep};
use kindsmith_structural::rules::{Occurrence, RuleCache, RuleScope, declare};
use kindsmith_structural::{NotStructural, StructuralSchema};

pub use kindsmith_cel::validation_rule::compile;

/// The name of the type of `self`.
const SELF_TYPE: &str = "selfTypeN";

/// Why expressions cannot be evaluated at a node.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoSubject {
    /// The schema is not structural.
    NotStructural(NotStructural),
    /// The schema has no node at this pointer.
    NoNode(String),
    /// Expressions cannot see the node.
    NoType,
}

impl std::error::Error for NoSubject {}

impl fmt::Display for NoSubject {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStructural(why) => why.fmt(out),
            Self::NoNode(pointer) => write!(out, "the schema has no node `{pointer}`"),
            Self::NoType => out.write_str("expressions cannot see a node without type"),
        }
    }
}

/// A node of a schema, ready for expressions.
#[derive(Debug)]
pub struct Subject {
    structure: StructuralSchema,
    /// The path to the node.
    pub steps: Vec<SpineStep>,
    /// The variables and types that expressions can use there.
    pub declarations: Declarations,
    /// How often the node can occur, if lists and maps above it are bounded.
    pub cardinality: Option<u64>,
    /// How often the cost estimate assumes that it occurs.
    pub cardinality_used: u64,
}

impl Subject {
    /// The node at a JSON pointer; the empty pointer is the root.
    ///
    /// # Errors
    ///
    /// If the schema is not structural, or has no such node.
    pub fn new(schema: &JsonSchema, pointer: &str) -> Result<Subject, NoSubject> {
        Subject::of_release(schema, pointer, Release::default())
    }

    /// Same, for the CEL that a release of Kubernetes runs.
    ///
    /// # Errors
    ///
    /// As [`Subject::new`].
    pub fn of_release(schema: &JsonSchema, pointer: &str, release: Release) -> Result<Subject, NoSubject> {
        let structure =
            StructuralSchema::compile_in(schema, dialect(release)).map_err(NoSubject::NotStructural)?;
        let scope = Scope::of_release(schema, pointer, release)?;
        Ok(Subject {
            structure,
            steps: scope.steps,
            declarations: scope.declarations,
            cardinality: scope.cardinality,
            cardinality_used: scope.cardinality_used,
        })
    }

    /// The whole schema, compiled.
    #[must_use]
    pub fn structure(&self) -> &StructuralSchema {
        &self.structure
    }

    /// An object as rules see it: pruned, without nulls that count as absent, with defaults.
    #[must_use]
    pub fn effective<'a>(&'a self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let pruned = self.structure.prune(arena, object, true);
        let clean = self.structure.remove_nulls(arena, pruned);
        self.structure.default(arena, clean)
    }

    /// The values at the node.
    #[must_use]
    pub fn occurrences<'v>(&self, new: Value<'v>, old: Option<Value<'v>>) -> Vec<Occurrence<'v>> {
        self.structure.occurrences(&self.steps, new, old)
    }

    /// Whether the path to the node goes through a list or map.
    #[must_use]
    pub fn is_repeated(&self) -> bool {
        let mut steps = self.steps.iter();
        steps.any(|step| !matches!(step, SpineStep::Property(_)))
    }

    /// Runs a program on a value.
    pub fn run<R>(
        &self,
        program: &Program,
        value: Option<&Value<'_>>,
        old: Option<&Value<'_>>,
        optional_old: bool,
        read: impl FnOnce(Cel<'_>, &Scratch, u64) -> R,
    ) -> R {
        let scratch = Scratch::new();
        let node = &*self.declarations.root;
        let inputs = Inputs {
            object: value.map(|value| (value, node)),
            old: old.map(|old| (old, node)),
            optional_old,
            limit: PER_CALL,
        };
        let outcome = program.eval(inputs, &scratch);
        read(outcome.value, &scratch, outcome.cost)
    }
}

/// A node of a schema, for expressions that are only checked: no values, so the schema is not compiled.
#[derive(Debug)]
pub struct Scope {
    /// The path to the node.
    pub steps: Vec<SpineStep>,
    /// The variables and types that expressions can use there.
    pub declarations: Declarations,
    /// How often the node can occur, if lists and maps above it are bounded.
    pub cardinality: Option<u64>,
    /// How often the cost estimate assumes that it occurs.
    pub cardinality_used: u64,
}

impl Scope {
    /// The node at a JSON pointer; the empty pointer is the root.
    ///
    /// # Errors
    ///
    /// If the schema has no such node, or expressions cannot see it.
    pub fn new(schema: &JsonSchema, pointer: &str) -> Result<Self, NoSubject> {
        Scope::of_release(schema, pointer, Release::default())
    }

    /// Same, for the CEL that a release of Kubernetes runs.
    ///
    /// # Errors
    ///
    /// As [`Scope::new`].
    pub fn of_release(schema: &JsonSchema, pointer: &str, release: Release) -> Result<Self, NoSubject> {
        let nowhere = || NoSubject::NoNode(pointer.to_owned());
        let steps = SpineStep::parse(pointer).ok_or_else(nowhere)?;
        let node = schema.at(pointer).ok_or_else(nowhere)?;
        let is_resource = steps.is_empty() || node.embedded_resource;
        let declared = Nodes::in_dialect(dialect(release)).shared(&declare(node), is_resource);
        let min_size = declared.min_size;
        let declarations = Declarations::of(declared, SELF_TYPE).ok_or(NoSubject::NoType)?;
        let declarations = declarations.in_dialect(dialect(release));
        let cardinality = cardinality(&RuleScope::root(schema, &RuleCache::default()), &steps);
        Ok(Self {
            steps,
            declarations,
            cardinality,
            cardinality_used: cardinality
                .unwrap_or_else(|| kindsmith_cel::cost::limit::max_cardinality(min_size)),
        })
    }

    /// The estimated cost of a rule for all values at the node.
    ///
    /// # Errors
    ///
    /// If the rule does not compile.
    pub fn cost(&self, rule: &str, optional_old_self: bool) -> Result<u64, CompileFailure> {
        let checked = check_expression(rule, &self.declarations, optional_old_self)?;
        Ok(checked.cost.max.saturating_mul(self.cardinality_used))
    }
}

/// The CEL that a release runs: expressions may use all its libraries.
#[must_use]
pub fn dialect(release: Release) -> Dialect {
    Dialect::of_release(release.number()).stored()
}

fn cardinality(scope: &RuleScope<'_>, steps: &[SpineStep]) -> Option<u64> {
    match steps {
        [] => scope.cardinality(),
        [step, rest @ ..] => cardinality(&scope.step(step)?, rest),
    }
}
