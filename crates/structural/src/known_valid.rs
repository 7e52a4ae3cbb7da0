//! What the walk that settles an object can say of it on the way: its values and lists are right, and no float is in it.
//!
//! A write changes little between decoding and validation: metadata, perhaps the status. Whoever validates then looks
//! at what is not the very same value, and at nothing else. Silent about what is wrong: that is for `validate`.

use kindsmith_json::{Arena, Entry, Object, Path, Value};

use super::layout::{Additional, Flags, Node, NodeId, StructuralSchema};
use super::value::CheckId;
use super::walk::{
    CHECK, DEFAULT, Fate, Members, NULLS, PRUNE, Passes, Unknown, Walk, bit, is_metadata, preserving,
};
use kindsmith_object::{NoTrace, Trace};

/// An object after [`StructuralSchema::settle_checked`].
#[derive(Debug, Clone, Copy)]
pub struct KnownValid<'a> {
    /// The object, pruned and with defaults.
    pub object: Value<'a>,
    /// The schema it was checked by.
    by: &'a StructuralSchema,
    /// Whether its values and lists are all right, and its defaults what this walk leaves alone.
    is_good: bool,
    /// Whether there are no floats in it, and nothing that was not looked at.
    is_without_floats: bool,
    /// Whether members were dropped that the schema does not have.
    has_unknown: bool,
}

impl KnownValid<'_> {
    /// Is a value the very one that the object has under a key? Only what is in an array or object can be told.
    #[must_use]
    pub fn has(&self, key: &str, value: Value<'_>) -> bool {
        match (self.object.get(key), value) {
            (Some(Value::Array(known)), Value::Array(items)) => {
                known.as_ptr().addr() == items.as_ptr().addr() && known.len() == items.len()
            }
            (Some(Value::Object(known)), Value::Object(object)) => {
                let (known, entries) = (known.entries(), object.entries());
                known.as_ptr().addr() == entries.as_ptr().addr() && known.len() == entries.len()
            }
            _ => false,
        }
    }

    /// Were there members that the schema does not have?
    #[must_use]
    pub fn has_unknown(&self) -> bool {
        self.has_unknown
    }

    /// Are there surely no floats in the object, but for its metadata?
    #[must_use]
    pub fn is_without_floats(&self) -> bool {
        self.is_without_floats
    }
}

impl StructuralSchema {
    /// Prunes, removes nulls, fills in defaults as [`settle`](Self::settle) does, and finds out on the way whether the
    /// result is valid.
    pub fn settle_checked<'a, T: Trace>(
        &'a self,
        arena: &'a Arena,
        object: Value<'a>,
        resource: bool,
        trace: &mut T,
    ) -> KnownValid<'a> {
        let mut walk = Walk::<T, { PRUNE | NULLS | DEFAULT | CHECK }>::new(self, arena, resource, trace);
        let object = walk.root(object);
        KnownValid {
            object,
            by: self,
            is_good: walk.is_good,
            // What is no object was not looked at.
            is_without_floats: walk.is_without_floats && object.as_object().is_some(),
            has_unknown: walk.has_unknown,
        }
    }

    /// Is an object valid in its values and lists, given what was found out about most of it?
    pub(super) fn is_still_good(&self, checked: &KnownValid<'_>, object: Value<'_>) -> bool {
        let Value::Object(object) = object else {
            return false;
        };
        if !checked.is_good || !std::ptr::eq(checked.by, self) {
            return false;
        }
        let node = self.root();
        let (mut near, mut there) = (0, 0_u64);
        let members_are_good = object.iter().all(|(key, value)| {
            let child = match self.position_near(node, key, &mut near) {
                Some(position) => {
                    there |= bit(position);
                    self.properties(node)[position].node
                }
                None => match node.additional {
                    Additional::Schema(child) => child,
                    Additional::Absent | Additional::Allowed(true) => return true,
                    Additional::Allowed(false) => return false,
                },
            };
            checked.has(key, value) || self.is_good(child, value)
        });
        members_are_good && self.values.object_itself_passes(node.check, object, there)
    }

    /// Is a value valid in its values and lists?
    fn is_good(&self, id: NodeId, value: Value<'_>) -> bool {
        let mut errors = Vec::new();
        self.validate_list_types_at(id, value, &Path::NIL, &mut errors);
        errors.is_empty() && self.values.passes(self.node(id).check, value)
    }

    /// Would [`settle`](Self::settle) leave an object alone? Most of it is what came out of another such walk.
    ///
    /// Says no where that takes a look at more than a few members.
    #[must_use]
    pub fn is_still_settled<'a>(
        &'a self,
        arena: &'a Arena,
        checked: &KnownValid<'_>,
        object: Object<'a>,
    ) -> bool {
        let mut nobody = NoTrace;
        let mut walk = Walk::<_, { PRUNE | NULLS | DEFAULT }>::new(self, arena, true, &mut nobody);
        let node = self.root();
        let mut members = walk.members(node, preserving(node, Unknown::Drop));
        let mut near = 0;
        for entry in object.entries() {
            let named = self.position_near(node, entry.key, &mut near);
            members.seen |= named.map_or(0, bit);
            if checked.has(entry.key, entry.value) {
                continue;
            }
            let child = named.map(|position| self.properties(node)[position].node);
            let has_embedded = child.is_some_and(|child| self.has_embedded_at(child, entry.value));
            let fate = walk.member(&mut members, named, entry, &Path::NIL);
            if has_embedded || !matches!(fate, Fate::Same) {
                return false;
            }
        }
        checked.is_good
            && std::ptr::eq(checked.by, self)
            && node.properties.len <= u64::BITS
            && node.defaulted & !members.seen == 0
    }

    /// Gives every node what its values must satisfy, and finds out whether its default does.
    pub(super) fn attach_checks(&mut self) {
        let mut is_known = vec![false; self.nodes.len()];
        let mut open = vec![(self.root, self.values.root_check())];
        while let Some((id, check)) = open.pop() {
            // Equal nodes have equal checks, as whatever is asked of values makes nodes differ.
            if std::mem::replace(&mut is_known[id.index()], true) {
                continue;
            }
            let node = &mut self.nodes[id.index()];
            node.check = check;
            if let (Some(item), Some(check)) = (node.items, self.values.item_check(check)) {
                open.push((item, check));
            }
            if let (Additional::Schema(child), Some(check)) =
                (node.additional, self.values.additional_check(check))
            {
                open.push((child, check));
            }
            let first = node.properties.first as usize;
            let properties = &mut self.properties[first..][..node.properties.len as usize];
            // Both tables are sorted by name and have all of them.
            for (property, check) in properties.iter_mut().zip(self.values.property_checks(check)) {
                property.check = check;
                open.push((property.node, check));
            }
        }
        for index in 0..self.nodes.len() {
            let flags = self.default_flags(NodeId::from_index(index));
            self.nodes[index].flags = self.nodes[index].flags | flags;
        }
    }

    fn default_flags(&self, id: NodeId) -> Flags {
        let arena = Arena::new();
        let Some(default) = self.default_of(self.node(id)) else {
            return Flags::default();
        };
        let value = default.value(&arena);
        let mut nobody = NoTrace;
        let mut walk = Walk::<_, { PRUNE | NULLS | DEFAULT }>::new(self, &arena, true, &mut nobody);
        // A default that was never pruned may hold what the next walk takes away.
        let stays = walk.value(id, Unknown::Drop, &value, &Path::NIL).is_none();
        Flags::GOOD_DEFAULT.when(stays && self.is_good(id, value))
            | Flags::DEFAULT_WITHOUT_FLOATS.when(!has_floats(value))
    }
}

/// Are there floats in a value?
fn has_floats(value: Value<'_>) -> bool {
    let mut open = vec![value];
    while let Some(here) = open.pop() {
        match here {
            Value::Array(items) => open.extend_from_slice(items),
            Value::Object(object) => open.extend(object.values()),
            Value::Float(_) => return true,
            _ => {}
        }
    }
    false
}

impl<'a, T: Trace, const PASSES: Passes> Walk<'_, 'a, T, PASSES> {
    /// Takes note of a value that is neither array nor object.
    #[inline]
    pub(super) fn check_scalar(&mut self, check: CheckId, value: &Value<'a>) {
        if Self::CHECKS {
            self.is_without_floats &= !matches!(value, Value::Float(_));
            self.is_good = self.is_good && self.structure.values.passes(check, *value);
        }
    }

    /// Takes note of an object whose members were looked at; `there` are the first 64 properties, a bit each.
    #[inline]
    pub(super) fn check_object(&mut self, node: &Node, entries: &'a [Entry<'a>], there: u64) {
        if Self::CHECKS {
            // Lists of members that two schemas speak of are left to the walk that knows how.
            let is_plain = node.properties.len == 0 || !matches!(node.additional, Additional::Schema(_));
            let values = &self.structure.values;
            self.is_good = self.is_good
                && is_plain
                && values.entries_themselves_pass(self.arena, node.check, entries, there);
        }
    }

    /// Takes note of an array whose items were looked at.
    pub(super) fn check_list(&mut self, node: &Node, items: &[Value<'a>]) {
        if Self::CHECKS && self.is_good {
            self.is_good = self.structure.values.list_itself_passes(node.check, items)
                && self.structure.is_without_repetition(node, items);
        }
    }

    /// Takes note of a value that was filled in at a node.
    pub(super) fn check_default(&mut self, id: NodeId) {
        if Self::CHECKS {
            let flags = self.structure.node(id).flags;
            self.is_good &= flags.has(Flags::GOOD_DEFAULT);
            self.is_without_floats &= flags.has(Flags::DEFAULT_WITHOUT_FLOATS);
        }
    }

    /// Takes note of a member that no schema speaks of.
    pub(super) fn check_unknown(&mut self, members: &Members<'a>, entry: &Entry<'a>) {
        if Self::CHECKS {
            self.is_good &= members.node.additional != Additional::Allowed(false);
            if !is_metadata(members, entry.key) {
                self.look_for_floats(&[entry.value]);
            }
        }
    }

    /// Takes note of values in which no schema speaks of anything.
    pub(super) fn look_for_floats(&mut self, values: &[Value<'a>]) {
        let is_closed =
            |value: &Value<'a>| matches!(value, Value::Float(_) | Value::Array(_) | Value::Object(_));
        if Self::CHECKS {
            self.is_without_floats &= !values.iter().any(is_closed);
        }
    }
}
