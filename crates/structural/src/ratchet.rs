//! Ratcheting: old values beside new ones, and whether they are equal (KEP-4008).
//!
//! Knows how a schema correlates values (`CorrelatedObject` in apiserver/pkg/cel/common/equality.go), not
//! what follows from it: other modules tolerate the errors of unchanged values.

use std::cell::Cell;
use std::collections::HashMap;

use kindsmith_json::Value;

use super::layout::{List, NodeId, StructuralSchema, Type};

/// A value and the old value it replaces, at one node of the schema.
///
/// Whether they are equal is computed on first use.
#[derive(Debug, Clone)]
pub(crate) struct Pair<'v> {
    /// The new value.
    pub(crate) new: Value<'v>,
    /// The old value.
    pub(crate) old: Value<'v>,
    /// The schema of both.
    pub(crate) node: NodeId,
    unchanged: Cell<Option<bool>>,
}

impl<'v> Pair<'v> {
    /// Two values that correlate.
    pub(crate) fn new(new: Value<'v>, old: Value<'v>, node: NodeId) -> Self {
        let unchanged = Cell::new(None);
        Self {
            new,
            old,
            node,
            unchanged,
        }
    }

    /// The values under a key, when both objects and the schema have it.
    pub(crate) fn key(&self, structure: &StructuralSchema, key: &str) -> Option<Self> {
        let (new, old) = (self.new.get(key)?, self.old.get(key)?);
        let node = structure.member(structure.node(self.node), key)?;
        Some(Self::new(new, old, node))
    }

    /// The elements of a list of type map; elements of other lists cannot be correlated.
    ///
    /// `None` when elements do not correlate at all.
    pub(crate) fn elements<'s>(&self, structure: &'s StructuralSchema) -> Option<Elements<'s, 'v>> {
        let keys = map_keys(structure, self.node)?;
        let (_, old) = (self.new.as_array()?, self.old.as_array()?);
        Some(Elements {
            item: structure.node(self.node).items,
            old: index(&keys, old),
            keys,
        })
    }

    /// Whether nothing changed, by upstream's definition (`CachedDeepEqual`): a member without a schema makes
    /// objects differ, and so does any reordering of a list that is not of type map.
    pub(crate) fn unchanged(&self, structure: &StructuralSchema) -> bool {
        if let Some(known) = self.unchanged.get() {
            return known;
        }
        let same = same(structure, self.new, self.old, self.node);
        self.unchanged.set(Some(same));
        same
    }

    /// Stores an answer that was computed elsewhere.
    pub(crate) fn settle(&self, unchanged: bool) {
        self.unchanged.set(Some(unchanged));
    }
}

/// The old elements of a list of type map, by their keys.
pub(crate) struct Elements<'s, 'v> {
    item: Option<NodeId>,
    keys: Vec<&'s str>,
    old: HashMap<Key<'v>, Value<'v>>,
}

impl<'v> Elements<'_, 'v> {
    /// An element of the new list with the old element of the same keys.
    pub(crate) fn find(&self, element: Value<'v>) -> Option<Pair<'v>> {
        let old = *self.old.get(&Key::of(&self.keys, element)?)?;
        Some(Pair::new(element, old, self.item?))
    }
}

/// The keys of a list of type map; `None` for every other node. Without keys no elements correlate.
fn map_keys(structure: &StructuralSchema, node: NodeId) -> Option<Vec<&str>> {
    let node = structure.node(node);
    match node.list {
        List::Map(keys) if node.ty == Type::Array => Some(structure.list_keys(keys).collect()),
        List::Map(_) => Some(Vec::new()),
        List::Atomic | List::Set => None,
    }
}

fn index<'v>(keys: &[&str], list: &'v [Value<'v>]) -> HashMap<Key<'v>, Value<'v>> {
    let mut found = HashMap::with_capacity(list.len());
    for &element in list {
        if let Some(key) = Key::of(keys, element) {
            found.entry(key).or_insert(element);
        }
    }
    found
}

/// The identity of an element in a list of type map (`CompositeKeyFor` in
/// apiserver/pkg/cel/common/maplist.go).
#[derive(PartialEq, Eq, Hash)]
enum Key<'v> {
    One(Scalar<'v>),
    Several(Vec<Scalar<'v>>),
}

/// Keys of different types differ: `1` is not `1.0`.
#[derive(PartialEq, Eq, Hash)]
enum Scalar<'v> {
    Bool(bool),
    Int(i64),
    Float(u64),
    /// Upstream joins several keys as text, with six digits for floats.
    RoundedFloat(String),
    Text(&'v str),
}

impl<'v> Key<'v> {
    fn of(keys: &[&str], element: Value<'v>) -> Option<Self> {
        let object = element.as_object()?;
        match keys {
            [] => return None,
            [key] => return Scalar::of(object.get(key)?).map(Self::One),
            _ => {}
        }
        let scalar = |key: &&str| Scalar::of(object.get(key)?).map(Scalar::rounded);
        keys.iter().map(scalar).collect::<Option<_>>().map(Self::Several)
    }
}

impl<'v> Scalar<'v> {
    fn of(value: Value<'v>) -> Option<Self> {
        match value {
            Value::Bool(truth) => Some(Self::Bool(truth)),
            Value::Int(number) => Some(Self::Int(number)),
            // Both zeros are the same key.
            Value::Float(number) => Some(Self::Float((number + 0.0).to_bits())),
            Value::Uint(number) => Some(Self::Float((number as f64).to_bits())),
            Value::Str(text) => Some(Self::Text(text)),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }

    fn rounded(self) -> Self {
        match self {
            Self::Float(bits) => Self::RoundedFloat(format!("{:.6}", f64::from_bits(bits))),
            other => other,
        }
    }
}

fn same(structure: &StructuralSchema, new: Value<'_>, old: Value<'_>, node: NodeId) -> bool {
    match (new, old) {
        (Value::Object(members), Value::Object(others)) => {
            let (node, mut near) = (structure.node(node), 0);
            members.len() == others.len()
                && members.iter().all(|(key, value)| {
                    let member = structure.member_near(node, key, &mut near);
                    others
                        .get(key)
                        .zip(member)
                        .is_some_and(|(other, member)| same(structure, value, other, member))
                })
        }
        (Value::Array(items), Value::Array(others)) => match map_keys(structure, node) {
            Some(keys) => same_elements(structure, &keys, items, others, node),
            None => new == old,
        },
        _ => new == old,
    }
}

fn same_elements(
    structure: &StructuralSchema,
    keys: &[&str],
    items: &[Value<'_>],
    others: &[Value<'_>],
    node: NodeId,
) -> bool {
    if items.len() != others.len() {
        return false;
    }
    if items.is_empty() {
        return true;
    }
    let Some(item) = structure.node(node).items else {
        return false;
    };
    let known = index(keys, others);
    items.iter().all(|&element| {
        Key::of(keys, element)
            .and_then(|key| known.get(&key))
            .is_some_and(|&other| same(structure, element, other, item))
    })
}
