//! Checks of values: types, formats, bounds, enums and junctors, compiled and run.
//!
//! Knows values and the constraints of a schema, with kube-openapi's messages. CEL rules, list types and
//! embedded resources are checked elsewhere.

mod compile;
mod enumeration;
mod explain;
mod fault;
mod name;
mod number;
mod plan;
mod quick;
mod shown;
mod text;
mod types;

use kindsmith_json::{Path, Value};
use kindsmith_schema::JsonSchema;

use super::layout::StructuralSchema;
use super::ratchet::Pair;
use explain::Explain;
pub use fault::NUMERIC_RANGE;
pub(crate) use fault::{Faults, Site};
use kindsmith_object::{FieldError, Release};
pub use name::Name;
pub(crate) use number::{GoNumber, Number, Range as NumberRange};
pub(super) use plan::NodeId as CheckId;
pub use plan::ValuePlan;
use plan::{Additional, NodeId};
pub(crate) use text::{TextFault, longer_than, shorter_than};

/// How a schema is prepared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// For objects: unknown formats are ignored and int-or-string is a type.
    Object,
    /// For defaults in a schema: an unknown format still requires a string, and int-or-string is not a type.
    Default,
}

/// A place in a schema where values are validated; belongs to one [`ValuePlan`].
#[derive(Debug, Clone, Copy)]
pub struct Point(NodeId);

impl ValuePlan {
    /// Compiles a schema. Every schema has a plan: where upstream could fail to build its validator (`$ref`),
    /// the schema was rejected before.
    #[must_use]
    pub fn compile(schema: &JsonSchema, mode: Mode) -> Self {
        Self::compile_for(schema, mode, Release::NEWEST)
    }

    /// Compiles a schema with the formats of a release.
    #[must_use]
    pub fn compile_for(schema: &JsonSchema, mode: Mode, release: Release) -> Self {
        compile::compile(schema, mode, release)
    }

    /// The place for whole objects.
    #[must_use]
    pub fn root(&self) -> Point {
        Point(self.root)
    }

    /// The place of a property.
    #[must_use]
    pub fn property(&self, at: Point, name: &str) -> Option<Point> {
        let members = self.object(self.node(at.0))?;
        self.property_of(members, name, &mut 0)
            .map(|property| Point(property.node))
    }

    /// The place of additional properties.
    #[must_use]
    pub fn additional(&self, at: Point) -> Option<Point> {
        match self.object(self.node(at.0))?.additional {
            Additional::Node(node) => Some(Point(node)),
            Additional::Free | Additional::Refused => None,
        }
    }

    /// The place of items.
    #[must_use]
    pub fn items(&self, at: Point) -> Option<Point> {
        self.list(self.node(at.0))?.item.map(Point)
    }

    /// The check for whole objects.
    pub(super) fn root_check(&self) -> CheckId {
        self.root
    }

    /// The check for items.
    pub(super) fn item_check(&self, at: CheckId) -> Option<CheckId> {
        self.list(self.node(at))?.item
    }

    /// The check for additional properties.
    pub(super) fn additional_check(&self, at: CheckId) -> Option<CheckId> {
        self.additional(Point(at)).map(|point| point.0)
    }

    /// The checks for properties, sorted by name.
    pub(super) fn property_checks(&self, at: CheckId) -> impl Iterator<Item = CheckId> {
        let members = self.object(self.node(at)).into_iter();
        members.flat_map(|members| members.properties.iter().map(|property| property.node))
    }

    /// Whether a value is valid. Allocates nothing.
    #[must_use]
    pub fn is_valid(&self, at: Point, value: Value<'_>) -> bool {
        self.passes(at.0, value)
    }

    /// The errors of a value. Paths start with `base`, names in messages do not.
    #[must_use]
    pub fn validate(&self, at: Point, value: Value<'_>, base: &Path<'_>) -> Vec<FieldError> {
        if self.passes(at.0, value) {
            return Vec::new();
        }
        self.explain(at, value, None, base)
    }

    /// The errors of a new value, except for those of unchanged parts.
    pub(crate) fn validate_update(
        &self,
        at: Point,
        structure: &StructuralSchema,
        pair: &Pair<'_>,
        base: &Path<'_>,
    ) -> Vec<FieldError> {
        if self.passes(at.0, pair.new) {
            return Vec::new();
        }
        self.explain(at, pair.new, Some((structure, pair)), base)
    }

    fn explain(
        &self,
        at: Point,
        value: Value<'_>,
        update: Option<(&StructuralSchema, &Pair<'_>)>,
        base: &Path<'_>,
    ) -> Vec<FieldError> {
        let mut faults = Faults::default();
        let (structure, pair) = update.unzip();
        let explain = Explain {
            plan: self,
            structure,
            base,
        };
        explain.run(at.0, value, pair, &mut faults);
        faults.into_errors()
    }
}

/// Whether two items are equal.
pub(crate) fn has_repetition(items: &[Value<'_>]) -> bool {
    items
        .iter()
        .enumerate()
        .any(|(position, item)| items[..position].contains(item))
}
