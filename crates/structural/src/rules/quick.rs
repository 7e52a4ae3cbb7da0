//! The first attempt at rules: whether all rules of an object hold, without paths, old values or errors.
//!
//! Most objects satisfy all rules. Anything else ends the attempt, and the full run starts from the
//! beginning: a rule that fails or reads `oldSelf`, an error, an empty budget.

use kindsmith_cel::cost::limit;
use kindsmith_cel::eval::value::Value as Cel;
use kindsmith_cel::eval::{Inputs, Scratch};
use kindsmith_json::{Entry, Value};

use super::table::{NodeRules, Outcome};
use crate::layout::{Additional, Below, Node, NodeId, StructuralSchema};
use kindsmith_json::is_same_key;

/// The budget left after all rules of an object, if all hold. `updates` says that the object replaces
/// another.
pub(super) fn remaining(
    structure: &StructuralSchema,
    object: Value<'_>,
    updates: bool,
    budget: i64,
) -> Option<i64> {
    let mut attempt = Attempt {
        structure,
        scratch: Scratch::new(),
        updates,
        budget,
        known: Vec::new(),
    };
    attempt.node(structure.root, &object)?;
    Some(attempt.budget)
}

struct Attempt<'s> {
    structure: &'s StructuralSchema,
    scratch: Scratch,
    updates: bool,
    budget: i64,
    known: Vec<Known>,
}

/// The cost of the rules of a node's last object, kept because a default may give the next object the same
/// value.
struct Known {
    node: NodeId,
    place: usize,
    len: usize,
    cost: i64,
}

impl Attempt<'_> {
    fn node(&mut self, id: NodeId, value: &Value<'_>) -> Option<()> {
        let structure = self.structure;
        let node = structure.node(id);
        if !node.below.has(Below::RULES) {
            return Some(());
        }
        match value {
            Value::Null => Some(()),
            Value::Object(object) => self.object(id, node, value, object.entries()),
            Value::Array(items) => {
                self.rules(node, value)?;
                let Some(item) = node.items else {
                    return Some(());
                };
                items.iter().try_for_each(|value| self.node(item, value))
            }
            _ => self.rules(node, value),
        }
    }

    fn object(&mut self, id: NodeId, node: &Node, object: &Value<'_>, entries: &[Entry<'_>]) -> Option<()> {
        if node.default.is_none() {
            return self.everything(node, object, entries);
        }
        let (place, len) = (entries.as_ptr().addr(), entries.len());
        let last = self.known.iter().position(|known| known.node == id);
        if let Some(known) = last.map(|last| &self.known[last])
            && (known.place, known.len) == (place, len)
        {
            // With an empty budget, even a rule without cost would be rejected.
            let cost = known.cost;
            return if cost < self.budget { self.pay(cost) } else { None };
        }
        let before = self.budget;
        self.everything(node, object, entries)?;
        let known = Known {
            node: id,
            place,
            len,
            cost: before - self.budget,
        };
        match last {
            Some(last) => self.known[last] = known,
            None => self.known.push(known),
        }
        Some(())
    }

    fn everything(&mut self, node: &Node, object: &Value<'_>, entries: &[Entry<'_>]) -> Option<()> {
        self.rules(node, object)?;
        let structure = self.structure;
        let others = match node.additional {
            Additional::Schema(additional) if structure.node(additional).below.has(Below::RULES) => {
                Some(additional)
            }
            _ => None,
        };
        for entry in entries.iter().filter(|_| others.is_some()) {
            if let (Some(others), None) = (others, structure.property(node, entry.key)) {
                self.node(others, &entry.value)?;
            }
        }
        for property in structure.properties(node) {
            if property.below.has(Below::RULES)
                && let Some(value) = member(object, entries, structure.name(property.name))
            {
                self.node(property.node, value)?;
            }
        }
        Some(())
    }

    fn rules(&mut self, node: &Node, value: &Value<'_>) -> Option<()> {
        let structure = self.structure;
        match structure.rules.of(node.rules) {
            Some(rules) if self.budget > 0 => self.all_hold(rules, value),
            Some(_) => None,
            None => Some(()),
        }
    }

    fn all_hold(&mut self, node: &NodeRules, value: &Value<'_>) -> Option<()> {
        for rule in &node.rules {
            let program = match &rule.outcome {
                Outcome::Blank => continue,
                Outcome::Failed(_) => return None,
                Outcome::Ready(_) if rule.uses_old_self && self.updates => return None,
                Outcome::Ready(_) if rule.uses_old_self && !rule.optional_old_self => continue,
                Outcome::Ready(program) => program,
            };
            self.scratch.reset();
            let inputs = Inputs {
                object: Some((value, &*node.declared)),
                old: None,
                optional_old: rule.optional_old_self,
                limit: limit::PER_CALL,
            };
            let evaluation = program.eval(inputs, &self.scratch);
            let Cel::Bool(true) = evaluation.value else {
                return None;
            };
            let cost = i64::try_from(evaluation.cost).ok()?;
            self.pay(cost)?;
        }
        Some(())
    }

    fn pay(&mut self, cost: i64) -> Option<()> {
        let is_paid = cost <= self.budget;
        self.budget -= cost;
        is_paid.then_some(())
    }
}

/// Finds a member of an object among its entries.
fn member<'v, 'a>(object: &Value<'a>, entries: &'v [Entry<'a>], key: &str) -> Option<&'v Value<'a>> {
    let position = match object {
        Value::Object(object) if entries.len() > FEW => object.position(key)?,
        _ => entries.iter().position(|entry| is_same_key(entry.key, key))?,
    };
    Some(&entries[position].value)
}

/// Up to this many entries are searched linearly.
const FEW: usize = 32;
