//! Facts about an object that the walk of `settle` collects: whether its values and lists are valid, and
//! whether it contains floats.
//!
//! A write changes little between decoding and validation: metadata, perhaps the status. Validation then
//! checks only the values that are not the very same. Reports no errors: `validate` does.
//!
//! A create of an object of 10 KB (`fixtures/route`) takes 1.5 times the instructions without it, 2 times if many defaults are
//! set.

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
    /// The schema that it was checked against.
    by: &'a StructuralSchema,
    /// Whether all values and lists are valid, and another walk would leave the defaults alone.
    is_good: bool,
    /// Whether everything was checked and contains no floats.
    is_without_floats: bool,
    /// Whether unknown members were dropped.
    has_unknown: bool,
}

impl KnownValid<'_> {
    /// Is a value the very one that the object has under a key? Detected only for arrays and objects.
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

    /// Were there unknown members?
    #[must_use]
    pub fn has_unknown(&self) -> bool {
        self.has_unknown
    }

    /// Is the object certain to have no floats outside its metadata?
    #[must_use]
    pub fn is_without_floats(&self) -> bool {
        self.is_without_floats
    }
}

impl StructuralSchema {
    /// Prunes, removes nulls and fills in defaults as [`settle`](Self::settle) does, and finds out in the
    /// same walk whether the result is valid.
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
            // A value that is not an object was not checked.
            is_without_floats: walk.is_without_floats && object.as_object().is_some(),
            has_unknown: walk.has_unknown,
        }
    }

    /// Are all values and lists of an object valid, given the facts about most of it?
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

    /// Are the value and all lists in it valid?
    fn is_good(&self, id: NodeId, value: Value<'_>) -> bool {
        let mut errors = Vec::new();
        self.validate_list_types_at(id, value, &Path::NIL, &mut errors);
        errors.is_empty() && self.values.passes(self.node(id).check, value)
    }

    /// Would [`settle`](Self::settle) leave an object unchanged? Most of it is the result of another such
    /// walk.
    ///
    /// Returns false when finding out would take more than a look at a few members.
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

    /// Gives every node the check for its values, and finds out whether its default passes.
    pub(super) fn attach_checks(&mut self) {
        let mut is_known = vec![false; self.nodes.len()];
        let mut open = vec![(self.root, self.values.root_check())];
        while let Some((id, check)) = open.pop() {
            // Equal nodes have equal checks, because every constraint on values is part of the comparison.
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
            // Both tables are sorted by name and contain all names.
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
        // A default that was never pruned may contain something that the next walk removes.
        let stays = walk.value(id, Unknown::Drop, &value, &Path::NIL).is_none();
        Flags::GOOD_DEFAULT.when(stays && self.is_good(id, value))
            | Flags::DEFAULT_WITHOUT_FLOATS.when(!has_floats(value))
    }
}

/// Does a value contain floats?
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
    /// Records a value that is neither array nor object.
    #[inline]
    pub(super) fn check_scalar(&mut self, check: CheckId, value: &Value<'a>) {
        if Self::CHECKS {
            self.is_without_floats &= !matches!(value, Value::Float(_));
            self.is_good = self.is_good && self.structure.values.passes(check, *value);
        }
    }

    /// Records an object whose members were checked; `there` has a bit for each of the first 64 properties
    /// that are present.
    #[inline]
    pub(super) fn check_object(&mut self, node: &Node, entries: &'a [Entry<'a>], there: u64) {
        if Self::CHECKS {
            // Lists in members that two schemas apply to are left to the full walk.
            let is_plain = node.properties.len == 0 || !matches!(node.additional, Additional::Schema(_));
            let values = &self.structure.values;
            self.is_good = self.is_good
                && is_plain
                && values.entries_themselves_pass(self.arena, node.check, entries, there);
        }
    }

    /// Records an array whose items were checked.
    pub(super) fn check_list(&mut self, node: &Node, items: &[Value<'a>]) {
        if Self::CHECKS && self.is_good {
            self.is_good = self.structure.values.list_itself_passes(node.check, items)
                && self.structure.is_without_repetition(node, items);
        }
    }

    /// Records a default that was set at a node.
    pub(super) fn check_default(&mut self, id: NodeId) {
        if Self::CHECKS {
            let flags = self.structure.node(id).flags;
            self.is_good &= flags.has(Flags::GOOD_DEFAULT);
            self.is_without_floats &= flags.has(Flags::DEFAULT_WITHOUT_FLOATS);
        }
    }

    /// Records a member without a schema.
    pub(super) fn check_unknown(&mut self, members: &Members<'a>, entry: &Entry<'a>) {
        if Self::CHECKS {
            self.is_good &= members.node.additional != Additional::Allowed(false);
            if !is_metadata(members, entry.key) {
                self.look_for_floats(&[entry.value]);
            }
        }
    }

    /// Records values without a schema.
    pub(super) fn look_for_floats(&mut self, values: &[Value<'a>]) {
        let is_closed =
            |value: &Value<'a>| matches!(value, Value::Float(_) | Value::Array(_) | Value::Object(_));
        if Self::CHECKS {
            self.is_without_floats &= !values.iter().any(is_closed);
        }
    }
}
