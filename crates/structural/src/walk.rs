//! One walk over an object and its schema for three passes: pruning, removal of nulls, defaults.
//!
//! The passes run one after the other at every member, so one walk can do any of them together: what pruning
//! keeps is checked for nulls, the rest gets defaults, and defaults need no other pass. Each pass alone is
//! the same walk with the others switched off. Each pass has a file of its own.
//!
//! The walk is as deep as the schema, which is bounded.

use kindsmith_gostd::budget;
use kindsmith_json::{Arena, Entry, Object, Path, Value};

use super::find::Orders;
use super::layout::{Additional, Below, Flags, Node, NodeId, StructuralSchema};
use kindsmith_json::is_same_key;
use kindsmith_object::{Event, Trace};

/// The passes of a walk, as bits.
pub(super) type Passes = u8;
/// Drops unknown members.
pub(super) const PRUNE: Passes = 1;
/// Drops nulls that count as absent.
pub(super) const NULLS: Passes = 2;
/// Fills in defaults.
pub(super) const DEFAULT: Passes = 4;
/// Checks the result; see `known_valid`.
pub(super) const CHECK: Passes = 8;

/// State of one walk.
pub(super) struct Walk<'w, 'a, T, const PASSES: Passes> {
    pub(super) structure: &'a StructuralSchema,
    pub(super) arena: &'a Arena,
    pub(super) trace: &'w mut T,
    /// Whether the object at the root is a resource.
    pub(super) resource: bool,
    /// Defaults that were already used, `null` for others: values are immutable, so one copy serves all
    /// places.
    pub(super) lent: Vec<Value<'a>>,
    /// Entries of changed objects until they are complete; those of the innermost object come last.
    pub(super) changed: Vec<Entry<'a>>,
    /// Where members were found in the schema, for a few nodes.
    pub(super) orders: Orders,
    /// Whether everything is valid so far.
    pub(super) is_good: bool,
    /// Whether everything was checked and no float was found.
    pub(super) is_without_floats: bool,
    /// Whether unknown members were dropped.
    pub(super) has_unknown: bool,
}

/// How members that are not in the schema are handled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unknown {
    /// Dropped.
    Drop,
    /// Kept: the value's own node preserves them.
    Preserve,
    /// Kept, with everything below: metadata of a resource is never pruned.
    Ignore,
}

/// The result for a member.
pub(super) enum Fate<'a> {
    Same,
    New(Value<'a>),
    Gone,
}

/// Members of every resource.
pub(super) fn is_meta(key: &str) -> bool {
    matches!(key, "apiVersion" | "kind" | "metadata")
}

impl<'w, 'a, T: Trace, const PASSES: Passes> Walk<'w, 'a, T, PASSES> {
    pub(super) const PRUNES: bool = PASSES & PRUNE != 0;
    pub(super) const NULLS: bool = PASSES & NULLS != 0;
    pub(super) const DEFAULTS: bool = PASSES & DEFAULT != 0;
    pub(super) const CHECKS: bool = PASSES & CHECK != 0;

    /// Starts at the root of a structure.
    pub(super) fn new(
        structure: &'a StructuralSchema,
        arena: &'a Arena,
        resource: bool,
        trace: &'w mut T,
    ) -> Self {
        Self {
            structure,
            arena,
            trace,
            resource,
            lent: Vec::new(),
            changed: Vec::new(),
            orders: Orders::default(),
            is_good: true,
            is_without_floats: true,
            has_unknown: false,
        }
    }

    /// Walks a whole object.
    pub(super) fn run(mut self, object: Value<'a>) -> Value<'a> {
        self.root(object)
    }

    /// Walks a whole object.
    pub(super) fn root(&mut self, object: Value<'a>) -> Value<'a> {
        let root = self.structure.root;
        self.value(root, Unknown::Drop, &object, &Path::NIL)
            .unwrap_or(object)
    }

    /// The changed value; `None` if it is unchanged.
    ///
    /// Values are passed by reference and written where they end up: the processor stalls when it reads in
    /// one load what was just stored in parts, and passing a value on would do just that.
    #[inline(always)]
    pub(super) fn value(
        &mut self,
        id: NodeId,
        unknown: Unknown,
        value: &Value<'a>,
        path: &Path<'_>,
    ) -> Option<Value<'a>> {
        match value {
            Value::Object(object) => {
                let entries = self.object(id, unknown, *object, path)?;
                Some(Value::Object(Object::from_entries(self.arena, entries)))
            }
            Value::Array(items) => Some(Value::Array(self.array(id, unknown, items, path)?)),
            _ => None,
        }
    }

    fn object(
        &mut self,
        id: NodeId,
        unknown: Unknown,
        object: Object<'a>,
        path: &Path<'_>,
    ) -> Option<&'a [Entry<'a>]> {
        let node = self.structure.node(id);
        let unknown = preserving(node, unknown);
        if self.is_done(node) {
            return None;
        }
        budget::spend_in(1, || self.arena.allocated_bytes());
        let start = self.changed.len();
        let mut is_changed = false;
        let mut members = self.members(node, unknown);
        let order = self.orders.of(id.index());
        let entries = object.entries();
        for (position, entry) in entries.iter().enumerate() {
            let named = self.position(&members, order, position, entry.key);
            if let (Some(at), true) = (named, is_settled(&entry.value)) {
                members.seen |= bit(at);
                self.check_scalar(self.structure.properties(node)[at].check, &entry.value);
                if is_changed {
                    self.changed.push(*entry);
                }
                continue;
            }
            let fate = self.member(&mut members, named, entry, path);
            if !is_changed && !matches!(fate, Fate::Same) {
                is_changed = true;
                self.changed.extend_from_slice(&entries[..position]);
            }
            match fate {
                Fate::Same if is_changed => self.changed.push(*entry),
                Fate::New(value) => self.changed.push(Entry {
                    key: entry.key,
                    value,
                }),
                Fate::Same | Fate::Gone => {}
            }
        }
        let entries: &'a [Entry<'a>] = if Self::DEFAULTS && self.only_fills(&members, is_changed) {
            self.filled(&mut members, object)
        } else {
            if Self::DEFAULTS && node.below.has(Below::DEFAULTS) {
                self.fill_absent(&mut members, object, &mut is_changed, path);
            }
            if !is_changed {
                self.check_object(node, object.entries(), members.seen);
                return None;
            }
            let entries = self.arena.alloc_slice_copy(&self.changed[start..]);
            self.changed.truncate(start);
            entries
        };
        self.check_object(node, entries, members.seen);
        Some(entries)
    }

    /// The index of a key among the properties, searched first at its position in the last object of the
    /// node.
    #[inline]
    fn position(&mut self, members: &Members<'a>, order: usize, entry: usize, key: &str) -> Option<usize> {
        let (structure, node) = (self.structure, members.node);
        let mut near = self.orders.guess(order, entry);
        if let Some(property) = structure.properties(node).get(near)
            && is_same_key(structure.name(property.name), key)
        {
            return Some(near);
        }
        let found = structure.position_near(node, key, &mut near)?;
        self.orders.learn(order, entry, found);
        Some(found)
    }

    /// The members of an object of a node.
    pub(super) fn members(&self, node: &'a Node, unknown: Unknown) -> Members<'a> {
        Members {
            node,
            unknown,
            resource: node.flags.has(Flags::EMBEDDED) || (self.resource && node.flags.has(Flags::ROOT)),
            seen: 0,
        }
    }

    /// The result for a member, given its index among the properties.
    #[inline]
    pub(super) fn member(
        &mut self,
        members: &mut Members<'a>,
        named: Option<usize>,
        entry: &Entry<'a>,
        path: &Path<'_>,
    ) -> Fate<'a> {
        let (structure, node) = (self.structure, members.node);
        let child = match (named, node.additional) {
            (Some(position), _) => {
                let property = &structure.properties(node)[position];
                members.seen |= bit(position);
                if is_settled(&entry.value) {
                    self.check_scalar(property.check, &entry.value);
                    return Fate::Same;
                }
                property.node
            }
            (None, Additional::Schema(child)) => {
                if is_settled(&entry.value) {
                    self.check_scalar(structure.node(child).check, &entry.value);
                    return Fate::Same;
                }
                child
            }
            (None, _) if Self::PRUNES => return self.prune_unknown(members, entry, path),
            (None, _) => return Fate::Same,
        };
        let further;
        let path = if T::ON {
            further = step(path, entry.key, named.is_some());
            &further
        } else {
            path
        };
        if entry.value.is_null() {
            let fate = self.null(child, path);
            if let (Fate::Gone, Some(position)) = (&fate, named) {
                members.seen &= !bit(position);
            }
            return fate;
        }
        let is_kept = members.unknown == Unknown::Ignore || (members.resource && is_meta(entry.key));
        let unknown = if is_kept { Unknown::Ignore } else { Unknown::Drop };
        let without_floats = self.is_without_floats;
        let changed = self.value(child, unknown, &entry.value, path);
        if is_metadata(members, entry.key) {
            self.is_without_floats = without_floats;
        }
        changed.map_or(Fate::Same, Fate::New)
    }

    fn array(
        &mut self,
        id: NodeId,
        unknown: Unknown,
        items: &'a [Value<'a>],
        path: &Path<'_>,
    ) -> Option<&'a [Value<'a>]> {
        let node = self.structure.node(id);
        let unknown = preserving(node, unknown);
        if self.is_done(node) {
            return None;
        }
        budget::spend_in(1, || self.arena.allocated_bytes());
        let Some(child) = node.items else {
            let is_bare = Self::PRUNES && unknown == Unknown::Drop;
            let changed = if is_bare {
                self.empty_elements(items, path, 0)
            } else {
                None
            };
            let changed = changed.and_then(Value::as_array);
            let kept = changed.unwrap_or(items);
            self.check_list(node, kept);
            self.look_for_floats(kept);
            return changed;
        };
        let arena = self.arena;
        let mut edit: Option<&'a mut [Value<'a>]> = None;
        for (index, item) in items.iter().enumerate() {
            if is_settled(item) {
                self.check_scalar(self.structure.node(child).check, item);
                continue;
            }
            let further;
            let path = if T::ON {
                further = path.index(index);
                &further
            } else {
                path
            };
            let changed = if item.is_null() {
                self.null_element(child, path)
            } else {
                self.value(child, unknown, item, path)
            };
            if let Some(changed) = changed {
                edit.get_or_insert_with(|| arena.alloc_slice_copy(items))[index] = changed;
            }
        }
        let changed = edit.map(|edit| &*edit);
        self.check_list(node, changed.unwrap_or(items));
        changed
    }

    /// Is there nothing to do for any value of the node?
    fn is_done(&self, node: &Node) -> bool {
        PASSES == DEFAULT && !node.below.has(Below::DEFAULTS)
    }

    pub(super) fn tell(&mut self, event: Event<'_>) {
        if T::ON {
            self.trace.event(event);
        }
    }
}

/// The members of an object during the walk.
pub(super) struct Members<'a> {
    pub(super) node: &'a Node,
    pub(super) unknown: Unknown,
    /// Whether it is a resource, with its meta members.
    pub(super) resource: bool,
    /// A bit for each of the first 64 properties that is present.
    pub(super) seen: u64,
}

/// Is it the metadata of the whole object, which is handled elsewhere?
#[inline]
pub(super) fn is_metadata(members: &Members<'_>, key: &str) -> bool {
    members.resource && members.node.flags.has(Flags::ROOT) && key == "metadata"
}

/// The bit of an index; zero from the 65th on.
pub(super) fn bit(position: usize) -> u64 {
    1_u64.checked_shl(position as u32).unwrap_or(0)
}

/// How unknown members in a value of the node are handled: the node decides, unless nothing is pruned here.
pub(super) fn preserving(node: &Node, unknown: Unknown) -> Unknown {
    match unknown {
        Unknown::Drop if node.flags.has(Flags::PRESERVE) => Unknown::Preserve,
        unknown => unknown,
    }
}

/// Is it a value that no pass changes if it has a schema?
#[inline]
fn is_settled(value: &Value<'_>) -> bool {
    !matches!(value, Value::Null | Value::Array(_) | Value::Object(_))
}

/// The path one step down.
pub(super) fn step<'p>(path: &'p Path<'p>, key: &'p str, named: bool) -> Path<'p> {
    if named { path.child(key) } else { path.key(key) }
}
