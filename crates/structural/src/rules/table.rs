//! All rules of a schema, each with its program.
//!
//! Filled in two steps: while the spine is compiled, every node with rules reserves its place; then one walk
//! down the schema compiles the rules, so that all of them share one tree of declarations.

use std::sync::Arc;

use kindsmith_cel::eval::Program;
use kindsmith_cel::types::decl::{Declarations, Node as Declared, NodeShape};
use kindsmith_cel::validation_rule::Purpose;
use kindsmith_schema::{JsonSchema, Str, ValidationRule};

use super::cache::RuleCache;
use super::compile::{CompiledRule, compile_rule};
use super::scope::SELF_TYPE;
use crate::layout::{Additional, Below, Flags, NodeId, Range, StructuralSchema};
use kindsmith_object::ErrorKind;

/// All rules of a schema, by node.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    nodes: Vec<Option<NodeRules>>,
}

/// The rules of one node.
#[derive(Debug)]
pub(super) struct NodeRules {
    pub(super) rules: Box<[Rule]>,
    /// Some rule refers to `oldSelf`; only then can message expressions see it.
    pub(super) binds_old_self: bool,
    /// The declarations that programs read values with.
    pub(super) declared: Arc<Declared>,
}

/// A rule that is ready to run.
#[derive(Debug)]
pub(super) struct Rule {
    /// Its number among the rules of its node.
    pub(super) index: u32,
    /// The program, or why it is missing.
    pub(super) outcome: Outcome,
    /// The expression for the message.
    pub(super) message_program: Option<Program>,
    /// Where the failure is reported, relative to the node.
    pub(super) field_path: Option<Box<str>>,
    /// The kind of the error.
    pub(super) kind: ErrorKind,
    pub(super) uses_old_self: bool,
    pub(super) optional_old_self: bool,
    /// The rule as written.
    pub(super) text: Str,
    /// `message` as written; empty is absent.
    pub(super) message: Str,
    /// `messageExpression` as written; empty is absent.
    pub(super) message_expression: Str,
}

/// The result of compiling a rule.
#[derive(Debug)]
pub(super) enum Outcome {
    /// Compiled.
    Ready(Program),
    /// Its text is blank.
    Blank,
    /// It does not compile; impossible in a validated schema.
    Failed(Box<str>),
}

impl Tables {
    /// Reserves space for the rules of a node.
    pub(super) fn reserve(&mut self, rules: usize) -> Range {
        if rules == 0 {
            return Range::default();
        }
        self.nodes.push(None);
        Range {
            first: self.nodes.len() as u32 - 1,
            len: rules as u32,
        }
    }

    /// The rules of a node; `None` where expressions cannot see it.
    pub(super) fn of(&self, range: Range) -> Option<&NodeRules> {
        if range.len == 0 {
            return None;
        }
        self.nodes.get(range.first as usize)?.as_ref()
    }

    /// Memory in bytes outside the tables themselves; programs and declarations are not counted.
    pub(crate) fn memory(&self) -> usize {
        let rules = self.nodes.iter().flatten();
        size_of_val(&*self.nodes) + rules.map(|node| size_of_val(&*node.rules)).sum::<usize>()
    }
}

/// Compiles all rules of a structure, which was compiled from `schema`.
pub(crate) fn finish(structure: &mut StructuralSchema, schema: &JsonSchema) {
    if !structure.root().below.has(Below::RULES) {
        return;
    }
    let root = structure.root();
    let is_resource = root.flags.has(Flags::ROOT) || root.flags.has(Flags::EMBEDDED);
    let declared = RuleCache::default().node(schema, is_resource);
    let mut nodes = std::mem::take(&mut structure.rules.nodes);
    fill(structure, structure.root, schema, &declared, &mut nodes);
    structure.rules.nodes = nodes;
}

fn fill(
    structure: &StructuralSchema,
    id: NodeId,
    schema: &JsonSchema,
    declared: &Arc<Declared>,
    nodes: &mut [Option<NodeRules>],
) {
    let node = structure.node(id);
    if !declared.visible || !node.below.has(Below::RULES) {
        return;
    }
    if node.rules.len > 0
        && let Some(place @ None) = nodes.get_mut(node.rules.first as usize)
    {
        *place = node_rules(schema, declared);
    }
    if let (Some(items), Some(schema), Some(declared)) = (node.items, schema.item(), declared.element()) {
        fill(structure, items, schema, declared, nodes);
    }
    let NodeShape::Object(object) = &declared.shape else {
        return;
    };
    if let (Additional::Schema(id), Some(schema), Some(declared)) =
        (node.additional, schema.additional(), &object.additional)
    {
        fill(structure, id, schema, declared, nodes);
    }
    for (name, schema) in &schema.properties {
        if let (Some(id), Some(declared)) = (structure.property(node, name), object.properties.get(name)) {
            fill(structure, id, schema, declared, nodes);
        }
    }
}

fn node_rules(schema: &JsonSchema, declared: &Arc<Declared>) -> Option<NodeRules> {
    let declarations = Declarations::of(declared.clone(), SELF_TYPE)?;
    let rules: Box<[Rule]> = schema
        .validations
        .iter()
        .zip(0..)
        .map(|(rule, index)| ready(index, rule, compile_rule(rule, schema, &declarations)))
        .collect();
    Some(NodeRules {
        binds_old_self: rules.iter().any(|rule| rule.uses_old_self),
        rules,
        declared: declared.clone(),
    })
}

fn ready(index: u32, rule: &ValidationRule, compiled: CompiledRule) -> Rule {
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
        kind: match rule.reason.as_deref() {
            Some("FieldValueForbidden") => ErrorKind::Forbidden,
            Some("FieldValueRequired") => ErrorKind::Required,
            Some("FieldValueDuplicate") => ErrorKind::Duplicate,
            _ => ErrorKind::Invalid,
        },
        uses_old_self: compiled.uses_old_self,
        optional_old_self: rule.optional_old_self == Some(true),
        text: rule.rule.clone(),
        message: rule.message.clone(),
        message_expression: rule.message_expression.clone(),
    }
}
