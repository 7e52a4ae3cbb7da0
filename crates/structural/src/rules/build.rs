//! One walk down a schema compiles its rules, so that all of them share one tree of declarations.

use std::sync::Arc;

use kindsmith_cel::dialect::{Dialect, Feature};
use kindsmith_cel::types::decl::{Declarations, Node as Declared, NodeShape};
use kindsmith_cel::validation_rule::Purpose;
use kindsmith_json::Value;
use kindsmith_object::ErrorKind;
use kindsmith_schema::{JsonSchema, ValidationRule};

use super::cache::RuleCache;
use super::compile::CompiledRule;
use super::scope::SELF_TYPE;
use super::table::{NodeRules, Outcome, Rule};
use crate::below;
use crate::layout::{Additional, Below, Flags, NodeId, StructuralSchema};

/// Compiles the rules of a structure, which was compiled from `schema`, or from what a value reaches of it: all rules, or those
/// that the value reaches. Returns whether every node has its own: nodes that are equal as far as the value reaches are one, but
/// their rules may see different types.
pub(crate) fn finish(
    structure: &mut StructuralSchema,
    schema: &JsonSchema,
    cache: &RuleCache,
    value: Option<Value<'_>>,
) -> bool {
    if !structure.root().below.has(Below::RULES) {
        return true;
    }
    let root = structure.root();
    let is_resource = root.flags.has(Flags::ROOT) || root.flags.has(Flags::EMBEDDED);
    let declared = cache.node(schema, is_resource);
    let mut nodes = std::mem::take(&mut structure.rules.nodes);
    let mut filling = Filling {
        structure,
        cache,
        nodes: &mut nodes,
        is_clear: true,
    };
    let values: Option<Vec<Value<'_>>> = value.map(|value| vec![value]);
    filling.fill(structure.root, schema, &declared, values.as_deref());
    let is_clear = filling.is_clear;
    structure.rules.nodes = nodes;
    is_clear
}

/// A walk down a schema and the structure that was compiled from it.
struct Filling<'f> {
    structure: &'f StructuralSchema,
    cache: &'f RuleCache,
    nodes: &'f mut [Option<NodeRules>],
    /// No two parts of the schema that see different types have the same node.
    is_clear: bool,
}

impl Filling<'_> {
    /// Without values, all rules are compiled.
    fn fill(
        &mut self,
        id: NodeId,
        schema: &JsonSchema,
        declared: &Arc<Declared>,
        values: Option<&[Value<'_>]>,
    ) {
        let node = self.structure.node(id);
        let is_reached = values.is_none_or(|values| !values.is_empty());
        if !declared.visible || !is_reached || !node.below.has(Below::RULES) {
            return;
        }
        if node.rules.len > 0
            && let Some(place) = self.nodes.get_mut(node.rules.first as usize)
        {
            match place {
                Some(known) => self.is_clear &= Arc::ptr_eq(&known.declared, declared),
                None => *place = node_rules(schema, declared, self.cache),
            }
        }
        if let (Some(items), Some(schema), Some(declared)) = (node.items, schema.item(), declared.element()) {
            let below = values.map(below::items);
            self.fill(items, schema, declared, below.as_deref());
        }
        let NodeShape::Object(object) = &declared.shape else {
            return;
        };
        if let (Additional::Schema(id), Some(schema), Some(declared)) =
            (node.additional, schema.additional(), &object.additional)
        {
            let below = values.map(below::members);
            self.fill(id, schema, declared, below.as_deref());
        }
        let named = values.map(below::named);
        for (name, schema) in &schema.properties {
            let below = named
                .as_ref()
                .map(|named| named.get(&**name).map_or(&[][..], Vec::as_slice));
            if let (Some(id), Some(declared)) =
                (self.structure.property(node, name), object.properties.get(name))
            {
                self.fill(id, schema, declared, below);
            }
        }
    }
}

fn node_rules(schema: &JsonSchema, declared: &Arc<Declared>, cache: &RuleCache) -> Option<NodeRules> {
    let dialect = cache.dialect();
    let declarations = Declarations::of(declared.clone(), SELF_TYPE)?.in_dialect(dialect);
    let compiled = cache.rules(schema, &declarations);
    let rules: Box<[Rule]> = schema
        .validations
        .iter()
        .zip(&*compiled)
        .zip(0..)
        .map(|((rule, compiled), index)| ready(index, rule, compiled, dialect))
        .collect();
    Some(NodeRules {
        binds_old_self: rules.iter().any(|rule| rule.uses_old_self),
        rules,
        declared: declared.clone(),
    })
}

fn ready(index: u32, rule: &ValidationRule, compiled: &CompiledRule, dialect: Dialect) -> Rule {
    let outcome = match &compiled.rule {
        None => Outcome::Blank,
        Some(Ok(compiled)) => Outcome::Ready(compiled.program.clone()),
        Some(Err(failure)) => Outcome::Failed(failure.detail(Purpose::Rule).into()),
    };
    let message = compiled
        .message
        .as_ref()
        .and_then(|message| message.as_ref().ok());
    Rule {
        index,
        outcome,
        message_program: message.map(|message| message.program.clone()),
        field_path: compiled.field_path.clone(),
        kind: kind_of(rule.reason.as_deref()),
        shows_value: dialect.has(Feature::FailedValues),
        uses_old_self: compiled.uses_old_self,
        optional_old_self: rule.optional_old_self == Some(true),
        text: rule.rule.clone(),
        message: rule.message.clone(),
        message_expression: rule.message_expression.clone(),
    }
}

/// The kind of the errors of a rule with a reason.
pub(crate) fn kind_of(reason: Option<&str>) -> ErrorKind {
    match reason {
        Some("FieldValueForbidden") => ErrorKind::Forbidden,
        Some("FieldValueRequired") => ErrorKind::Required,
        Some("FieldValueDuplicate") => ErrorKind::Duplicate,
        _ => ErrorKind::Invalid,
    }
}
