//! Whether a value is valid: the question asked first, without names, errors or memory.

use kindsmith_json::{Object, Value};

use super::number::GoNumber;
use super::plan::{Additional, Junctors, List, Members, Node, NodeId, ValuePlan};
use super::types::Kind;

impl ValuePlan {
    pub(super) fn passes(&self, id: NodeId, value: Value<'_>) -> bool {
        let node = self.node(id);
        if node.passes_all {
            return true;
        }
        if !node.kinds.has(Kind::of(value)) {
            return false;
        }
        if self
            .enumeration(node)
            .is_some_and(|enumeration| !enumeration.allows(value))
        {
            return false;
        }
        if value.is_null() {
            return true;
        }
        self.content_passes(node, value)
            && self
                .junctors(node)
                .is_none_or(|junctors| self.junctors_pass(junctors, value))
    }

    fn content_passes(&self, node: &Node, value: Value<'_>) -> bool {
        match value {
            Value::Null | Value::Bool(_) => true,
            Value::Str(text) => {
                self.text(node).is_none_or(|check| check.fault(text).is_none())
                    && node.format.is_none_or(|format| format.passes(text))
            }
            Value::Int(int) => self.number_passes(node, GoNumber::Int(int)),
            Value::Uint(int) => self.number_passes(node, GoNumber::Float(int as f64)),
            Value::Float(float) => self.number_passes(node, GoNumber::Float(float)),
            Value::Array(items) => self.list(node).is_none_or(|list| self.list_passes(list, items)),
            Value::Object(object) => self
                .object(node)
                .is_none_or(|members| self.object_passes(members, object)),
        }
    }

    fn number_passes(&self, node: &Node, number: GoNumber) -> bool {
        let mut passes = true;
        if let Some(check) = self.number(node) {
            check.faults(number, |_| passes = false);
        }
        passes
    }

    fn list_passes(&self, list: &List, items: &[Value<'_>]) -> bool {
        let count = items.len() as i64;
        list.min.is_none_or(|min| count >= min)
            && list.max.is_none_or(|max| count <= max)
            && list
                .item
                .is_none_or(|item| items.iter().all(|&value| self.passes(item, value)))
            && !(list.unique && super::has_repetition(items))
    }

    fn object_passes(&self, members: &Members, object: Object<'_>) -> bool {
        let count = object.len() as i64;
        if members.min.is_some_and(|min| count < min) || members.max.is_some_and(|max| count > max) {
            return false;
        }
        let (mut hint, mut required) = (0, 0);
        for (key, value) in object {
            let passes = match self.property_of(members, key, &mut hint) {
                Some(property) => {
                    required += u32::from(property.required);
                    self.passes(property.node, value)
                }
                None => match members.additional {
                    Additional::Free => true,
                    Additional::Refused => false,
                    Additional::Node(node) => self.passes(node, value),
                },
            };
            if !passes {
                return false;
            }
        }
        required == members.required
            && members
                .required_others
                .iter()
                .all(|&name| object.contains_key(self.word(name)))
    }

    fn junctors_pass(&self, junctors: &Junctors, value: Value<'_>) -> bool {
        let passes = |branch: &&NodeId| self.passes(**branch, value);
        (junctors.any.is_empty() || junctors.any.iter().any(|branch| passes(&branch)))
            && (junctors.one.is_empty() || junctors.one.iter().filter(passes).count() == 1)
            && junctors.all.iter().all(|branch| passes(&branch))
            && junctors.not.is_none_or(|branch| !self.passes(branch, value))
    }
}
