//! One walk down a schema compiles its rules, so that all of them share one tree of declarations.

use std::sync::Arc;

use kindsmith_cel::dialect::{Dialect, Feature};
use kindsmith_cel::types::decl::{Declarations, Node as Declared, NodeShape};
use kindsmith_cel::validation_rule::Purpose;
use kindsmith_object::ErrorKind;
use kindsmith_schema::{JsonSchema, ValidationRule};

use super::cache::RuleCache;
use super::compile::{CompiledRule, compile_rule};
use super::scope::SELF_TYPE;
use super::table::{NodeRules, Outcome, Rule};
use crate::layout::{Additional, Below, Flags, NodeId, StructuralSchema};

/// Compiles all rules of a structure, which was compiled from `schema`.
pub(crate) fn finish(structure: &mut StructuralSchema, schema: &JsonSchema, dialect: Dialect) {
    if !structure.root().below.has(Below::RULES) {
        return;
    }
    let root = structure.root();
    let is_resource = root.flags.has(Flags::ROOT) || root.flags.has(Flags::EMBEDDED);
    let declared = RuleCache::in_dialect(dialect).node(schema, is_resource);
    let mut nodes = std::mem::take(&mut structure.rules.nodes);
    fill(structure, structure.root, schema, &declared, dialect, &mut nodes);
    structure.rules.nodes = nodes;
}

fn fill(
    structure: &StructuralSchema,
    id: NodeId,
    schema: &JsonSchema,
    declared: &Arc<Declared>,
    dialect: Dialect,
    nodes: &mut [Option<NodeRules>],
) {
    let node = structure.node(id);
    if !declared.visible || !node.below.has(Below::RULES) {
        return;
    }
    if node.rules.len > 0
        && let Some(place @ None) = nodes.get_mut(node.rules.first as usize)
    {
        *place = node_rules(schema, declared, dialect);
    }
    if let (Some(items), Some(schema), Some(declared)) = (node.items, schema.item(), declared.element()) {
        fill(structure, items, schema, declared, dialect, nodes);
    }
    let NodeShape::Object(object) = &declared.shape else {
        return;
    };
    if let (Additional::Schema(id), Some(schema), Some(declared)) =
        (node.additional, schema.additional(), &object.additional)
    {
        fill(structure, id, schema, declared, dialect, nodes);
    }
    for (name, schema) in &schema.properties {
        if let (Some(id), Some(declared)) = (structure.property(node, name), object.properties.get(name)) {
            fill(structure, id, schema, declared, dialect, nodes);
        }
    }
}

fn node_rules(schema: &JsonSchema, declared: &Arc<Declared>, dialect: Dialect) -> Option<NodeRules> {
    let declarations = Declarations::of(declared.clone(), SELF_TYPE)?.in_dialect(dialect);
    let rules: Box<[Rule]> = schema
        .validations
        .iter()
        .zip(0..)
        .map(|(rule, index)| ready(index, rule, compile_rule(rule, schema, &declarations), dialect))
        .collect();
    Some(NodeRules {
        binds_old_self: rules.iter().any(|rule| rule.uses_old_self),
        rules,
        declared: declared.clone(),
    })
}

fn ready(index: u32, rule: &ValidationRule, compiled: CompiledRule, dialect: Dialect) -> Rule {
    let outcome = match compiled.rule {
        None => Outcome::Blank,
        Some(Ok(compiled)) => Outcome::Ready(compiled.program),
        Some(Err(failure)) => Outcome::Failed(failure.detail(Purpose::Rule).into()),
    };
    Rule {
        index,
        outcome,
        message_program: compiled
            .message
            .and_then(Result::ok)
            .map(|message| message.program),
        field_path: compiled.field_path,
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
