//! Whether all rules of an object hold: the question asked first, without paths, old values or errors.
//!
//! Most objects keep all rules. Whatever else comes up ends the attempt, and the run proper starts from the beginning:
//! a rule that fails or reads `oldSelf`, an error, an empty budget.

use kindsmith_cel::cost::limit;
use kindsmith_cel::eval::value::Value as Cel;
use kindsmith_cel::eval::{Inputs, Scratch};
use kindsmith_json::{Object, Value};

use super::table::{NodeRules, Outcome};
use crate::structural::layout::{Additional, Below, Node, NodeId, Structure};
use crate::value::get_near;

/// What is left of the budget after all rules of an object, if all hold. With `updates`, the object replaces another.
pub(super) fn remaining(structure: &Structure, object: Value<'_>, updates: bool, budget: i64) -> Option<i64> {
    let mut attempt = Attempt {
        structure,
        scratch: Scratch::new(),
        updates,
        budget,
        known: Vec::new(),
    };
    attempt.node(structure.root, object)?;
    Some(attempt.budget)
}

struct Attempt<'s> {
    structure: &'s Structure,
    scratch: Scratch,
    updates: bool,
    budget: i64,
    known: Vec<Known>,
}

/// What the rules of the last object of a node cost, where a default can make it the next one, too.
struct Known {
    node: NodeId,
    place: usize,
    len: usize,
    cost: i64,
}

impl Attempt<'_> {
    fn node(&mut self, id: NodeId, value: Value<'_>) -> Option<()> {
        let structure = self.structure;
        let node = structure.node(id);
        if !node.below.has(Below::RULES) {
            return Some(());
        }
        match value {
            Value::Null => Some(()),
            Value::Object(object) => self.object(id, node, object),
            Value::Array(items) => {
                self.rules(node, value)?;
                let Some(item) = node.items else {
                    return Some(());
                };
                items.iter().try_for_each(|&value| self.node(item, value))
            }
            _ => self.rules(node, value),
        }
    }

    fn object(&mut self, id: NodeId, node: &Node, object: Object<'_>) -> Option<()> {
        if node.default.is_none() {
            return self.everything(node, object);
        }
        let entries = object.entries();
        let (place, len) = (entries.as_ptr().addr(), entries.len());
        let last = self.known.iter().position(|known| known.node == id);
        if let Some(known) = last.map(|last| &self.known[last])
            && (known.place, known.len) == (place, len)
        {
            // With nothing left, a rule that costs nothing would still be refused.
            let cost = known.cost;
            return if cost < self.budget { self.pay(cost) } else { None };
        }
        let before = self.budget;
        self.everything(node, object)?;
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

    fn everything(&mut self, node: &Node, object: Object<'_>) -> Option<()> {
        self.rules(node, Value::Object(object))?;
        self.members(node, object)
    }

    fn members(&mut self, node: &Node, object: Object<'_>) -> Option<()> {
        let structure = self.structure;
        let properties = structure.properties(node);
        if let Additional::Schema(additional) = node.additional
            && structure.node(additional).below.has(Below::RULES)
        {
            let is_other = |key: &str| structure.property(node, key).is_none();
            for (key, value) in object {
                if is_other(key) {
                    self.node(additional, value)?;
                }
            }
        }
        let mut near = 0;
        for property in properties {
            if property.below.has(Below::RULES)
                && let Some(value) = get_near(object, structure.name(property.name), &mut near)
            {
                self.node(property.node, value)?;
            }
        }
        Some(())
    }

    fn rules(&mut self, node: &Node, value: Value<'_>) -> Option<()> {
        let structure = self.structure;
        match structure.rules.of(node.rules) {
            Some(rules) if self.budget > 0 => self.all_hold(rules, value),
            Some(_) => None,
            None => Some(()),
        }
    }

    fn all_hold(&mut self, node: &NodeRules, value: Value<'_>) -> Option<()> {
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
                object: Some((&value, &*node.declared)),
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
