//! The value stack of cel-go's cost tracker (`interpreter/runtimecost.go`).
//!
//! The tracker charges a call only if it finds all its arguments on this stack. That fails after some errors, so the
//! cost of evaluations with errors is computed by replaying the stack.

use super::value::Value;

/// Values with the IDs of the nodes that made them, and the positions of each node's entries.
#[derive(Default)]
pub(super) struct Stack<'a> {
    entries: Vec<(u32, Value<'a>)>,
    positions: Vec<Vec<u32>>,
}

impl<'a> Stack<'a> {
    pub(super) fn push(&mut self, id: u32, value: Value<'a>) {
        let node = id as usize;
        if node >= self.positions.len() {
            self.positions.resize_with(node + 1, Vec::new);
        }
        self.positions[node].push(self.entries.len() as u32);
        self.entries.push((id, value));
    }

    /// Removes everything above and including the topmost entry of a node, if there is one.
    pub(super) fn drop_to(&mut self, id: u32) -> Option<Value<'a>> {
        let at = *self.positions.get(id as usize)?.last()? as usize;
        let value = self.entries[at].1;
        for (dropped, _) in self.entries.drain(at..) {
            self.positions[dropped as usize].pop();
        }
        Some(value)
    }

    /// Takes the arguments of a call, last first; `false` if one is missing, in which case the others stay removed.
    pub(super) fn take(&mut self, ids: impl DoubleEndedIterator<Item = u32>, out: &mut [Value<'a>]) -> bool {
        for (slot, id) in out.iter_mut().rev().zip(ids.rev()) {
            match self.drop_to(id) {
                Some(value) => *slot = value,
                None => return false,
            }
        }
        true
    }
}
