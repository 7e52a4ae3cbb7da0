//! The place of a rule: how expressions see its node, and how often the node can occur in an object.
//!
//! For validating schemas. Walks as `CELSchemaContext` does
//! (apiextensions-apiserver/pkg/apis/apiextensions/validation/cel_validation.go).

use std::cell::OnceCell;
use std::sync::Arc;

use kindsmith_cel::cost::limit;
use kindsmith_cel::types::decl::{Declarations, Node, NodeShape};
use kindsmith_schema::{JsonSchema, SpineStep};

use super::cache::RuleCache;
use super::compile::CompiledRule;

/// The name of the type of `self`. The API server adds a random number to it.
pub(super) const SELF_TYPE: &str = "selfTypeN";

/// A node on the spine of a schema, reached from its root.
#[derive(Debug)]
pub struct RuleScope<'s> {
    schema: &'s JsonSchema,
    cache: &'s RuleCache,
    parent: Option<&'s RuleScope<'s>>,
    step: Step<'s>,
    /// Whether the node or an ancestor has rules.
    in_scope: bool,
    cardinality: Option<u64>,
    node: OnceCell<Result<Arc<Node>, NotVisible>>,
}

/// A node that expressions cannot see, because it or an ancestor has no type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotVisible;

impl std::fmt::Display for NotVisible {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("unable to convert structural schema to CEL declarations")
    }
}

impl std::error::Error for NotVisible {}

#[derive(Debug, Clone, Copy)]
enum Step<'s> {
    Root,
    Property(&'s str),
    Element,
}

impl<'s> RuleScope<'s> {
    /// The root of a schema.
    #[must_use]
    pub fn root(schema: &'s JsonSchema, cache: &'s RuleCache) -> RuleScope<'s> {
        RuleScope {
            schema,
            cache,
            parent: None,
            step: Step::Root,
            in_scope: !schema.validations.is_empty(),
            cardinality: Some(1),
            node: OnceCell::new(),
        }
    }

    /// A named property of the node.
    #[must_use]
    pub fn property(&'s self, name: &'s str, schema: &'s JsonSchema) -> RuleScope<'s> {
        self.child(schema, Step::Property(name))
    }

    /// The items, or the values under any key.
    #[must_use]
    pub fn element(&'s self, schema: &'s JsonSchema) -> RuleScope<'s> {
        self.child(schema, Step::Element)
    }

    /// One step down the spine; `None` if the schema has no such node.
    #[must_use]
    pub fn step(&'s self, step: &'s SpineStep) -> Option<RuleScope<'s>> {
        Some(match step {
            SpineStep::Property(name) => self.property(name, self.schema.property(name)?),
            SpineStep::Items => self.element(self.schema.item()?),
            SpineStep::Additional => self.element(self.schema.additional()?),
        })
    }

    fn child(&'s self, schema: &'s JsonSchema, step: Step<'s>) -> RuleScope<'s> {
        let factor = occurrences(self.schema);
        RuleScope {
            schema,
            cache: self.cache,
            parent: Some(self),
            step,
            in_scope: self.in_scope || !schema.validations.is_empty(),
            cardinality: self
                .cardinality
                .zip(factor)
                .map(|(cardinality, factor)| cardinality.saturating_mul(factor)),
            node: OnceCell::new(),
        }
    }

    /// How often the node can occur in an object; `None` if a list or map above it has no bound.
    #[must_use]
    pub fn cardinality(&self) -> Option<u64> {
        self.cardinality
    }

    /// The types that rules of the node are checked against.
    ///
    /// # Errors
    /// When expressions cannot see the node, or an ancestor that is in the scope of rules.
    pub fn declarations(&self) -> Result<Declarations, NotVisible> {
        let declarations = Declarations::of(self.node()?, SELF_TYPE).ok_or(NotVisible)?;
        Ok(declarations.in_dialect(self.cache.dialect()))
    }

    /// The compiled rules of the node, in order.
    ///
    /// # Errors
    /// When expressions cannot see the node, or an ancestor that is in the scope of rules.
    pub fn compile(&self) -> Result<Arc<[CompiledRule]>, NotVisible> {
        Ok(self.cache.rules(self.schema, &self.declarations()?))
    }

    /// The number that the API server compares with its limit: the estimated cost times the number of
    /// occurrences.
    ///
    /// # Errors
    /// When expressions cannot see the node.
    pub fn cost(&self, rule: &CompiledRule) -> Result<u64, NotVisible> {
        Ok(rule.max_cost().saturating_mul(self.cardinality_used()?))
    }

    /// The assumed number of occurrences: the node's cardinality, or as many as fit into a request.
    ///
    /// # Errors
    /// When expressions cannot see the node.
    pub fn cardinality_used(&self) -> Result<u64, NotVisible> {
        match self.cardinality {
            Some(cardinality) => Ok(cardinality),
            None => Ok(limit::max_cardinality(self.node()?.min_size)),
        }
    }

    fn node(&self) -> Result<Arc<Node>, NotVisible> {
        self.node.get_or_init(|| self.make_node()).clone()
    }

    fn make_node(&self) -> Result<Arc<Node>, NotVisible> {
        if let Some(parent) = self.parent.filter(|parent| parent.in_scope) {
            let above = parent.node()?;
            if let Some(node) = below(&above, self.step) {
                return Ok(node.clone());
            }
        }
        let is_root = self.parent.is_none() || self.schema.embedded_resource;
        let node = self.cache.node(self.schema, is_root);
        if node.visible { Ok(node) } else { Err(NotVisible) }
    }
}

/// The visible node one step down; without a name below a node that expressions cannot name.
fn below<'n>(node: &'n Arc<Node>, step: Step<'_>) -> Option<&'n Arc<Node>> {
    match (step, &node.shape) {
        (Step::Property(name), NodeShape::Object(object)) => object.properties.get(name),
        (Step::Element, _) => node.element(),
        _ => None,
    }
    .filter(|node| node.visible)
}

/// The factor by which a node multiplies the nodes below it; `None` is unbounded.
fn occurrences(schema: &JsonSchema) -> Option<u64> {
    let bound = |bound: Option<i64>| bound.map(|n| u64::try_from(n).unwrap_or(0));
    match &*schema.ty {
        "object" if schema.additional_properties.is_some() => bound(schema.max_properties),
        "array" => bound(schema.max_items),
        _ => Some(1),
    }
}
