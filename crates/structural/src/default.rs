//! Defaulting: fills in absent values (`Default` of `pkg/apiserver/schema/defaulting/algorithm.go` in
//! apiextensions-apiserver).
//!
//! A property that is absent, or `null` where that is not allowed, gets its default; so do nulls in lists and
//! maps, but elements and keys are never added. Types are ignored, and the default of the root has no effect.

use kindsmith_json::{Arena, Entry, Object, Path, Value};

use super::frozen::Frozen;
use super::layout::{Below, DefaultId, NodeId, Property, StructuralSchema};
use super::walk::{DEFAULT, Members, NULLS, PRUNE, Passes, Unknown, Walk};
use kindsmith_object::{Event, NoTrace, Trace};

impl StructuralSchema {
    /// Fills in defaults. Runs after the removal of nulls; the value should be an object.
    #[must_use]
    pub fn default<'a>(&'a self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        self.default_traced(arena, object, &mut NoTrace)
    }

    /// Fills in defaults and reports them to the trace.
    pub fn default_traced<'a, T: Trace>(
        &'a self,
        arena: &'a Arena,
        object: Value<'a>,
        trace: &mut T,
    ) -> Value<'a> {
        Walk::<T, DEFAULT>::new(self, arena, false, trace).run(object)
    }

    /// Prunes and removes nulls in one walk.
    pub fn clean<'a, T: Trace>(
        &'a self,
        arena: &'a Arena,
        object: Value<'a>,
        resource: bool,
        trace: &mut T,
    ) -> Value<'a> {
        Walk::<T, { PRUNE | NULLS }>::new(self, arena, resource, trace).run(object)
    }

    /// Prunes, removes nulls and fills in defaults in one walk.
    ///
    /// The server coerces embedded resources before defaulting, so the result matches only for objects that
    /// [have none](Self::has_embedded).
    pub fn settle<'a, T: Trace>(
        &'a self,
        arena: &'a Arena,
        object: Value<'a>,
        resource: bool,
        trace: &mut T,
    ) -> Value<'a> {
        Walk::<T, { PRUNE | NULLS | DEFAULT }>::new(self, arena, resource, trace).run(object)
    }

    /// Completes every default with the defaults inside it, so that a default can be used as it is.
    pub(super) fn fill_defaults(&mut self) {
        // Children come before their parents, so inner defaults are already complete.
        for index in 0..self.nodes.len() {
            if let Some(filled) = self.filled_default(index) {
                self.nodes[index].default = Some(DefaultId::from_index(self.defaults.len()));
                self.defaults.push(filled);
            }
        }
        self.defaults.shrink_to_fit();
    }

    fn filled_default(&self, index: usize) -> Option<Frozen> {
        let node = &self.nodes[index];
        if !node.below.has(Below::DEFAULTS) {
            return None;
        }
        let arena = Arena::new();
        let default = self.default_of(node)?.value(&arena);
        let mut nobody = NoTrace;
        let mut walk = Walk::<_, DEFAULT>::new(self, &arena, false, &mut nobody);
        walk.value(NodeId::from_index(index), Unknown::Ignore, &default, &Path::NIL)
            .map(Frozen::new)
    }
}

impl<'a, T: Trace, const PASSES: Passes> Walk<'_, 'a, T, PASSES> {
    /// The default of a node.
    pub(super) fn fill(&mut self, node: NodeId, path: &Path<'_>) -> Option<Value<'a>> {
        let value = *self.lend(self.structure.node(node).default?);
        self.check_default(node);
        self.tell(Event::Defaulted {
            path,
            source: None,
            value,
        });
        Some(value)
    }

    fn lend(&mut self, id: DefaultId) -> &Value<'a> {
        if self.lent.is_empty() {
            self.lent = vec![Value::Null; self.structure.defaults.len()];
        }
        let place = &mut self.lent[id.index()];
        // A null default counts as no default.
        if place.is_null() {
            *place = self.structure.default_value(id).value(self.arena);
        }
        place
    }

    /// Does an object need no change except for added properties?
    #[inline]
    pub(super) fn only_fills(&self, members: &Members<'a>, is_changed: bool) -> bool {
        let node = members.node;
        let absent = node.defaulted & !members.seen;
        !T::ON && !is_changed && absent != 0 && node.properties.len <= u64::BITS
    }

    /// The entries of such an object.
    pub(super) fn filled(&mut self, members: &mut Members<'a>, object: Object<'a>) -> &'a [Entry<'a>] {
        let (arena, structure, entries) = (self.arena, self.structure, object.entries());
        let properties = structure.properties(members.node);
        let mut absent = members.node.defaulted & !members.seen;
        members.seen |= absent;
        let count = entries.len() + absent.count_ones() as usize;
        let filled = arena.alloc_slice_fill_copy(count, Entry::default());
        let (there, added) = filled.split_at_mut(entries.len());
        there.copy_from_slice(entries);
        for entry in added {
            let property = &properties[absent.trailing_zeros() as usize];
            absent &= absent - 1;
            entry.key = structure.name(property.name);
            if let Some(default) = structure.node(property.node).default {
                self.check_default(property.node);
                entry.value = *self.lend(default);
            }
        }
        filled
    }

    /// Adds absent properties that have a default.
    pub(super) fn fill_absent(
        &mut self,
        members: &mut Members<'a>,
        object: Object<'a>,
        is_changed: &mut bool,
        path: &Path<'_>,
    ) {
        let properties = self.structure.properties(members.node);
        let mut absent = members.node.defaulted & !members.seen;
        members.seen |= absent;
        while absent != 0 {
            let position = absent.trailing_zeros() as usize;
            absent &= absent - 1;
            self.add(properties[position], object, is_changed, path);
        }
        for &property in properties.iter().skip(u64::BITS as usize) {
            let is_there = object.contains_key(self.structure.name(property.name));
            if !is_there && self.structure.node(property.node).default.is_some() {
                self.add(property, object, is_changed, path);
            }
        }
    }

    fn add(&mut self, property: Property, object: Object<'a>, is_changed: &mut bool, path: &Path<'_>) {
        let key = self.structure.name(property.name);
        let Some(value) = self.fill(property.node, &path.child(key)) else {
            return;
        };
        if !*is_changed {
            *is_changed = true;
            self.changed.extend_from_slice(object.entries());
        }
        self.changed.push(Entry { key, value });
    }
}
