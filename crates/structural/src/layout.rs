//! The compiled form of a published schema: flat tables that every pass over custom resources walks.
//!
//! This is the interface between the passes: `compile` fills it; prune, defaults, value validation and rules
//! read it. It knows the *spine* of a schema (properties, items, additional properties), but neither values
//! nor documents. The checks of values are in the plan of `value`.
//!
//! Equal sub-schemas share one [`Node`], so a node does not know its path: passes carry it. The root is the
//! one exception, because it is a resource whatever its schema says ([`Flags::ROOT`]).

use std::num::NonZeroU32;

use super::find::{MANY, Named, Print, find_near};
use super::frozen::Frozen;
use super::rules;
use super::value::{CheckId, ValuePlan};
pub(crate) use crate::range::Range;
use kindsmith_json::is_same_key;

/// One version's schema, compiled: prunes, defaults and validates custom resources.
///
/// Compiled once, used for any number of objects, from any number of threads.
#[derive(Debug)]
pub struct StructuralSchema {
    pub(crate) root: NodeId,
    pub(super) nodes: Box<[Node]>,
    pub(super) properties: Box<[Property]>,
    /// All names, each once; a [`Name`] is a range of it.
    pub(super) names: Box<str>,
    /// Names of keys of lists.
    pub(super) keys: Box<[Name]>,
    /// Defaults, each completed with the defaults inside it.
    pub(super) defaults: Vec<Frozen>,
    /// The checks of values.
    pub(crate) values: ValuePlan,
    /// CEL rules; [`Node::rules`] points into it.
    pub(crate) rules: rules::Tables,
}

/// Index of a [`Node`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct NodeId(NonZeroU32);

/// Index of a default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct DefaultId(NonZeroU32);

/// One position of the spine, or several equal ones.
#[derive(Debug)]
pub(crate) struct Node {
    /// `type`.
    pub(crate) ty: Type,
    /// The node's boolean keywords.
    pub(crate) flags: Flags,
    /// The work at this node or below, so that a pass can skip the rest.
    pub(crate) below: Below,
    /// `properties`, sorted by the bytes of their names; see [`StructuralSchema::properties`].
    pub(crate) properties: Range,
    /// A bit for each of the first 64 properties that has a default.
    pub(super) defaulted: u64,
    /// `additionalProperties`.
    pub(crate) additional: Additional,
    /// `items`.
    pub(crate) items: Option<NodeId>,
    /// `x-kubernetes-list-type` and `x-kubernetes-list-map-keys`; see [`StructuralSchema::list_keys`].
    pub(crate) list: List,
    /// The node's own default, set by the pass that holds the parent; see [`StructuralSchema::default_of`].
    pub(crate) default: Option<DefaultId>,
    /// `x-kubernetes-validations` of this node.
    pub(crate) rules: Range,
    /// The check for values of the node.
    pub(super) check: CheckId,
}

/// A named member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Property {
    /// The fingerprint of the name.
    pub(super) print: Print,
    pub(crate) name: Name,
    pub(crate) node: NodeId,
    /// The check of the node.
    pub(super) check: CheckId,
    /// The work below the node.
    pub(super) below: Below,
}

impl Named for Property {
    fn print(&self) -> Print {
        self.print
    }
}

/// `type` of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Type {
    /// No type is given.
    Any,
    Object,
    Array,
    String,
    Integer,
    Number,
    Boolean,
    /// An unknown type; the tables of `value` have its name.
    Unknown,
}

/// Members that are not in `properties`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Additional {
    /// The keyword is absent.
    Absent,
    /// `true` or `false`. Pruning treats both as `true`.
    Allowed(bool),
    /// A schema for all of them.
    Schema(NodeId),
}

/// How elements of a list are identified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum List {
    /// Not at all: no list type, `atomic` or an unknown one.
    Atomic,
    /// By value.
    Set,
    /// By these members.
    Map(Range),
}

/// The members of a node that lead to something.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ways {
    /// No member does.
    None,
    /// One named member does.
    One(Property),
    /// Several may.
    Several,
}

/// A range of the text of all names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Name {
    pub(super) start: u32,
    pub(super) len: u32,
}

/// The boolean keywords of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Flags(u8);

/// The work at a node or further down its spine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Below(u8);

impl Flags {
    /// `x-kubernetes-preserve-unknown-fields`.
    pub(crate) const PRESERVE: Self = Self(1);
    /// `x-kubernetes-embedded-resource`. Not set at the root unless the schema sets it.
    pub(crate) const EMBEDDED: Self = Self(2);
    /// `x-kubernetes-int-or-string`.
    pub(crate) const INT_OR_STRING: Self = Self(4);
    /// `nullable`.
    pub(crate) const NULLABLE: Self = Self(8);
    /// `x-kubernetes-map-type: atomic`.
    pub(crate) const ATOMIC_MAP: Self = Self(16);
    /// The root of the schema, which is always a resource.
    pub(crate) const ROOT: Self = Self(32);
    /// The node's default is pruned, and its values and lists are valid.
    pub(super) const GOOD_DEFAULT: Self = Self(64);
    /// The node's default contains no floats.
    pub(super) const DEFAULT_WITHOUT_FLOATS: Self = Self(128);

    /// Is the flag set?
    pub(crate) const fn has(self, flag: Self) -> bool {
        self.0 & flag.0 != 0
    }

    /// The flag if `on`, otherwise no flag.
    pub(super) const fn when(self, on: bool) -> Self {
        if on { self } else { Self(0) }
    }
}

impl Below {
    /// Something *inside* a value of the node can get a default; the node's own default does not count.
    pub(crate) const DEFAULTS: Self = Self(1);
    /// An embedded resource, here or further down.
    pub(crate) const EMBEDDED: Self = Self(2);
    /// A list of type `set` or `map`, here or further down.
    pub(crate) const LIST_TYPES: Self = Self(4);
    /// A CEL rule, here or further down.
    pub(crate) const RULES: Self = Self(8);

    /// Is any of it set?
    pub(crate) const fn has(self, what: Self) -> bool {
        self.0 & what.0 != 0
    }

    /// The part if `on`, otherwise nothing.
    pub(super) const fn when(self, on: bool) -> Self {
        if on { self } else { Self(0) }
    }
}

impl std::ops::BitOr for Flags {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl std::ops::BitOr for Below {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Range {
    /// The range's part of the table.
    #[inline]
    pub(crate) fn of<T>(self, table: &[T]) -> &[T] {
        &table[self.first as usize..][..self.len as usize]
    }
}

// Indexes count from one, so that an `Option` takes no extra space.
impl NodeId {
    pub(super) fn from_index(index: usize) -> Self {
        Self(one_based(index))
    }

    pub(crate) fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

impl DefaultId {
    pub(super) fn from_index(index: usize) -> Self {
        Self(one_based(index))
    }

    #[inline]
    pub(super) fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

fn one_based(index: usize) -> NonZeroU32 {
    let number = u32::try_from(index + 1).expect("a schema that fits in memory has fewer nodes");
    NonZeroU32::new(number).expect("one more than a natural number")
}

impl StructuralSchema {
    /// The root node.
    pub(crate) fn root(&self) -> &Node {
        self.node(self.root)
    }

    /// A node.
    #[inline]
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The named members of a node, sorted by the bytes of their names.
    #[inline]
    pub(crate) fn properties(&self, node: &Node) -> &[Property] {
        node.properties.of(&self.properties)
    }

    /// A name.
    #[inline]
    pub(crate) fn name(&self, name: Name) -> &str {
        &self.names[name.start as usize..][..name.len as usize]
    }

    /// The key members of a list, in the order of the schema.
    pub(crate) fn list_keys(&self, keys: Range) -> impl ExactSizeIterator<Item = &str> {
        keys.of(&self.keys).iter().map(|&key| self.name(key))
    }

    /// The default of a node.
    pub(crate) fn default_of(&self, node: &Node) -> Option<&Frozen> {
        node.default.map(|id| self.default_value(id))
    }

    /// A default.
    #[inline]
    pub(super) fn default_value(&self, id: DefaultId) -> &Frozen {
        &self.defaults[id.index()]
    }

    /// The node of a named member.
    pub(crate) fn property(&self, node: &Node, key: &str) -> Option<NodeId> {
        let position = self.position_near(node, key, &mut 0)?;
        Some(self.properties(node)[position].node)
    }

    /// The node of a member: the property's, otherwise that of additional properties.
    pub(crate) fn member(&self, node: &Node, key: &str) -> Option<NodeId> {
        self.member_near(node, key, &mut 0)
    }

    /// Like `member`, starting where the last one was found: members usually come in the same order, mostly
    /// sorted. Start with `near` at 0 for every object.
    #[inline]
    pub(crate) fn member_near(&self, node: &Node, key: &str, near: &mut usize) -> Option<NodeId> {
        match self.position_near(node, key, near) {
            Some(position) => Some(self.properties(node)[position].node),
            None => match node.additional {
                Additional::Schema(id) => Some(id),
                Additional::Absent | Additional::Allowed(_) => None,
            },
        }
    }

    /// The index of a named member among the properties, starting where the last one was found.
    #[inline]
    pub(crate) fn position_near(&self, node: &Node, key: &str, near: &mut usize) -> Option<usize> {
        let properties = self.properties(node);
        if properties.len() > MANY {
            return self.position_of_many(node, key);
        }
        find_near(properties, Print::of(key), near, |property| {
            is_same_key(self.name(property.name), key)
        })
    }

    fn position_of_many(&self, node: &Node, key: &str) -> Option<usize> {
        let by_name = |property: &Property| self.name(property.name).cmp(key);
        self.properties(node).binary_search_by(by_name).ok()
    }

    /// The members of a node that lead to something, so that a pass can skip all others.
    pub(crate) fn ways(&self, node: &Node, what: Below) -> Ways {
        let properties = self.properties(node);
        let leads = |id: NodeId| self.node(id).below.has(what);
        if properties.len() > MANY || matches!(node.additional, Additional::Schema(id) if leads(id)) {
            return Ways::Several;
        }
        let mut leading = properties.iter().filter(|property| property.below.has(what));
        match (leading.next(), leading.next()) {
            (None, _) => Ways::None,
            (Some(&one), None) => Ways::One(one),
            _ => Ways::Several,
        }
    }

    /// Memory of the schema in bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        size_of::<Self>()
            + size_of_val(&*self.nodes)
            + size_of_val(&*self.properties)
            + self.names.len()
            + size_of_val(&*self.keys)
            + self.defaults.iter().map(Frozen::memory).sum::<usize>()
            + self.values.memory()
            + self.rules.memory()
    }
}

const _: () = assert!(size_of::<Node>() <= 64, "a schema has thousands of nodes");
