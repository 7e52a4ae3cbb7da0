//! Finds and drops unknown members.

use kindsmith_gostd::budget::Batch;
use kindsmith_json::path::PathBuf;
use kindsmith_json::{Arena, Path, Value};

use crate::plan::{MAX_DEPTH, NodeId, NodeShape, Plan, Slot};
use kindsmith_object::{Event, NoTrace, Trace};

impl Plan {
    /// Drops unknown members. Names are case-sensitive, as in the API server.
    #[must_use]
    pub fn prune<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        self.prune_traced(arena, object, &mut NoTrace)
    }

    /// Drops unknown members and reports them to the trace.
    pub fn prune_traced<'a, T: Trace>(
        &self,
        arena: &'a Arena,
        object: Value<'a>,
        trace: &mut T,
    ) -> Value<'a> {
        let mut pruning = Pruning {
            plan: self,
            arena,
            trace,
            depth: 0,
            batch: Batch::default(),
        };
        pruning.value(self.root, object, &Path::NIL)
    }

    /// Paths of unknown members, as strict decoding reports them.
    #[must_use]
    pub fn unknown_fields(&self, object: Value<'_>) -> Vec<PathBuf> {
        let arena = Arena::new();
        let mut unknown = Vec::new();
        let mut note = |event: Event<'_>| {
            if let Event::Pruned { path } = event {
                unknown.push(path.to_owned());
            }
        };
        // Pruning copies only what changes; the copies are freed with the arena.
        let copy = object.copy_in(&arena);
        let _ = self.prune_traced(&arena, copy, &mut note);
        unknown
    }
}

struct Pruning<'p, 'a, T> {
    plan: &'p Plan,
    arena: &'a Arena,
    trace: &'p mut T,
    depth: usize,
    batch: Batch,
}

impl<'a, T: Trace> Pruning<'_, 'a, T> {
    fn value(&mut self, node: NodeId, value: Value<'a>, path: &Path<'_>) -> Value<'a> {
        if self.depth >= MAX_DEPTH {
            return value;
        }
        self.depth += 1;
        let arena = self.arena;
        self.batch.spend_in(1, || arena.allocated_bytes());
        let plan = self.plan;
        let pruned = match (&plan.node(node).shape, value) {
            (NodeShape::Struct(_), Value::Object(_)) => self.object(node, value, path),
            (NodeShape::List(element) | NodeShape::Array { element, .. }, Value::Array(items)) => {
                let mut edit = kindsmith_json::ArrayEdit::new(self.arena, items);
                for (index, &item) in items.iter().enumerate() {
                    let pruned = self.slot(*element, item, &path.index(index));
                    if !is_untouched(item, pruned) {
                        edit.set(index, pruned);
                    }
                }
                Value::Array(edit.finish())
            }
            (NodeShape::Map { value: element, .. }, Value::Object(object)) => {
                let mut edit = object.edit(self.arena);
                for (position, (key, entry)) in object.iter().enumerate() {
                    // Strict decoding prints map keys as fields.
                    let pruned = self.slot(*element, entry, &path.child(key));
                    if !is_untouched(entry, pruned) {
                        edit.set(position, pruned);
                    }
                }
                Value::Object(edit.finish())
            }
            (_, value) => value,
        };
        self.depth -= 1;
        pruned
    }

    fn slot(&mut self, slot: Slot, value: Value<'a>, path: &Path<'_>) -> Value<'a> {
        match value {
            Value::Array(_) | Value::Object(_) => self.value(slot.node, value, path),
            scalar => scalar,
        }
    }

    fn object(&mut self, node: NodeId, value: Value<'a>, path: &Path<'_>) -> Value<'a> {
        let plan = self.plan;
        let (NodeShape::Struct(members), Value::Object(object)) = (&plan.node(node).shape, value) else {
            return value;
        };
        let mut edit = object.edit(self.arena);
        let mut dropped = false;
        for (position, (key, entry)) in object.iter().enumerate() {
            let path = path.child(key);
            match members.keys.binary_search_by(|(known, _)| (**known).cmp(key)) {
                Ok(found) => {
                    let field = plan.field(members.keys[found].1);
                    let pruned = self.slot(field.slot, entry, &path);
                    if !is_untouched(entry, pruned) {
                        edit.set(position, pruned);
                    }
                }
                Err(_) => {
                    dropped = true;
                    if T::ON {
                        self.trace.event(Event::Pruned { path: &path });
                    }
                }
            }
        }
        if dropped {
            edit.retain(|key, _| {
                members
                    .keys
                    .binary_search_by(|(known, _)| (**known).cmp(key))
                    .is_ok()
            });
        }
        Value::Object(edit.finish())
    }
}

/// Containers that were not changed come back as the same slice.
fn is_untouched(before: Value<'_>, after: Value<'_>) -> bool {
    match (before, after) {
        (Value::Array(before), Value::Array(after)) => std::ptr::eq(before, after),
        (Value::Object(before), Value::Object(after)) => std::ptr::eq(before.entries(), after.entries()),
        _ => true,
    }
}
