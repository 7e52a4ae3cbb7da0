//! The compiled form of a published schema: flat tables that every pass over custom resources walks.
//!
//! This is the seam between the passes: `compile` fills it; prune, defaults, value validation and rules read it. It
//! knows the *spine* of a schema (properties, items, additional properties) and nothing of values or documents. What
//! values must satisfy is no part of it: that lies in the plan of `value`.
//!
//! Equal sub-schemas are one [`Node`], so a node does not know where it is: passes carry the path. The root is the one
//! exception, as it is a resource whatever its schema says ([`Flags::ROOT`]).

use std::num::NonZeroU32;

use super::find::{MANY, Named, Print, find_near};
use super::frozen::Frozen;
use super::rules;
use super::value::{CheckId, ValuePlan};
use kindsmith_json::is_same_key;

/// One version's schema, compiled: prunes, defaults and validates custom resources.
///
/// Compiled once, used for any number of objects, from any number of threads.
#[derive(Debug)]
pub struct StructuralSchema {
    pub(crate) root: NodeId,
    pub(super) nodes: Box<[Node]>,
    pub(super) properties: Box<[Property]>,
    /// All names, each once; a [`Name`] is a piece of it.
    pub(super) names: Box<str>,
    /// Names of keys of lists.
    pub(super) keys: Box<[Name]>,
    /// Defaults, complete: each with the defaults of what is in it.
    pub(super) defaults: Vec<Frozen>,
    /// What values must satisfy.
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

/// One position of the spine, or several that say the same.
#[derive(Debug)]
pub(crate) struct Node {
    /// `type`.
    pub(crate) ty: Type,
    /// What the node itself says with yes or no.
    pub(crate) flags: Flags,
    /// What there is to do here or further down, so that a pass can skip the rest.
    pub(crate) below: Below,
    /// `properties`, sorted by the bytes of their names; see [`StructuralSchema::properties`].
    pub(crate) properties: Range,
    /// The first 64 properties that have a default, a bit each.
    pub(super) defaulted: u64,
    /// `additionalProperties`.
    pub(crate) additional: Additional,
    /// `items`.
    pub(crate) items: Option<NodeId>,
    /// `x-kubernetes-list-type` and `x-kubernetes-list-map-keys`; see [`StructuralSchema::list_keys`].
    pub(crate) list: List,
    /// The node's own default, which whoever holds the value puts in; see [`StructuralSchema::default_of`].
    pub(crate) default: Option<DefaultId>,
    /// `x-kubernetes-validations` of this node.
    pub(crate) rules: Range,
    /// What values of the node must satisfy.
    pub(super) check: CheckId,
}

/// A named member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Property {
    /// The fingerprint of the name.
    pub(super) print: Print,
    pub(crate) name: Name,
    pub(crate) node: NodeId,
    /// That of the node.
    pub(super) check: CheckId,
    /// That of the node.
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
    /// None is written.
    Any,
    Object,
    Array,
    String,
    Integer,
    Number,
    Boolean,
    /// A text that names no type; the tables of `value` have it.
    Unknown,
}

/// Members without a name in the schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Additional {
    /// Nothing is said.
    Absent,
    /// A plain yes or no. Pruning takes both for a yes.
    Allowed(bool),
    /// All follow one schema.
    Schema(NodeId),
}

/// How elements of a list are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum List {
    /// They are not: nothing, `atomic` or an unknown word is written.
    Atomic,
    /// By value.
    Set,
    /// By these members.
    Map(Range),
}

/// The members of a node through which something is reached.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ways {
    /// There are none.
    None,
    /// One named member.
    One(Property),
    /// Perhaps several.
    Several,
}

/// A piece of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Range {
    pub(crate) first: u32,
    pub(crate) len: u32,
}

/// A piece of the text of all names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Name {
    pub(super) start: u32,
    pub(super) len: u32,
}

/// What a node says with yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Flags(u8);

/// What there is to do at a node or further down its spine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Below(u8);

impl Flags {
    /// `x-kubernetes-preserve-unknown-fields`.
    pub(crate) const PRESERVE: Self = Self(1);
    /// `x-kubernetes-embedded-resource`. Not set at the root unless it is written there.
    pub(crate) const EMBEDDED: Self = Self(2);
    /// `x-kubernetes-int-or-string`.
    pub(crate) const INT_OR_STRING: Self = Self(4);
    /// `nullable`.
    pub(crate) const NULLABLE: Self = Self(8);
    /// `x-kubernetes-map-type: atomic`.
    pub(crate) const ATOMIC_MAP: Self = Self(16);
    /// The root of the schema, which is a resource whether it says so or not.
    pub(crate) const ROOT: Self = Self(32);
    /// The node's default satisfies the node, in its values and its lists, and is pruned.
    pub(super) const GOOD_DEFAULT: Self = Self(64);
    /// No float is in the node's default.
    pub(super) const DEFAULT_WITHOUT_FLOATS: Self = Self(128);

    /// Is the flag set?
    pub(crate) const fn has(self, flag: Self) -> bool {
        self.0 & flag.0 != 0
    }

    /// The flag if `on`, else nothing.
    pub(super) const fn when(self, on: bool) -> Self {
        if on { self } else { Self(0) }
    }
}

impl Below {
    /// Something *inside* a value of the node can get a default; the node's own default does not count.
    pub(crate) const DEFAULTS: Self = Self(1);
    /// An embedded resource, here or further down.
    pub(crate) const EMBEDDED: Self = Self(2);
    /// A set or a map as a list, here or further down.
    pub(crate) const LIST_TYPES: Self = Self(4);
    /// A CEL rule, here or further down.
    pub(crate) const RULES: Self = Self(8);

    /// Is any of it there?
    pub(crate) const fn has(self, what: Self) -> bool {
        self.0 & what.0 != 0
    }

    /// The part if `on`, else nothing.
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
    /// The piece of the table.
    #[inline]
    pub(crate) fn of<T>(self, table: &[T]) -> &[T] {
        &table[self.first as usize..][..self.len as usize]
    }
}

// Indexes count from one, so that an optional one takes no more room.
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

    /// The members that tell elements of a list apart, in the order of the schema.
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

    /// The node of a member: that of its name, else the one of all without a name.
    pub(crate) fn member(&self, node: &Node, key: &str) -> Option<NodeId> {
        self.member_near(node, key, &mut 0)
    }

    /// The same, given where the last one was found: members of an object mostly come in one order, and usually the
    /// sorted one. Start with `near` at 0 for every object.
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

    /// The position of a named member among the properties, given where the last one was found.
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

    /// The members of a node through which something is reached, so that a pass can skip all others.
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

    /// Bytes of memory that the structure keeps.
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
