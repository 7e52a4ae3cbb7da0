//! The compiled form of value validation: nodes in one table, rare checks beside them, equal ones shared.
//!
//! Knows the layout only: `compile` fills it, `quick` and `explain` read it.

use std::num::NonZeroU32;

use kindsmith_formats::strfmt;

use super::enumeration::Enumeration;
use super::number::Number;
use super::text::Text;
use super::types::{Kinds, Types};
use crate::find::{MANY, Named, Print, find_near};
use kindsmith_json::is_same_key;

/// Position of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(pub(super) u32);

impl NodeId {
    /// A node whose checks are not attached yet.
    pub(crate) const UNKNOWN: NodeId = NodeId(0);
}

/// Index in a side table; an absent one takes no extra space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Slot(NonZeroU32);

impl Slot {
    pub(super) fn new(position: usize) -> Self {
        let next = u32::try_from(position + 1).expect("schemas have fewer nodes than 32 bits count");
        Self(NonZeroU32::new(next).expect("one more than a position"))
    }

    pub(super) fn position(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// The checks for the values of an object type, compiled.
#[derive(Debug)]
pub struct ValuePlan {
    pub(super) root: NodeId,
    pub(super) nodes: Box<[Node]>,
    pub(super) types: Box<[Types]>,
    pub(super) texts: Box<[Text]>,
    pub(super) numbers: Box<[Number]>,
    pub(super) enumerations: Box<[Enumeration]>,
    pub(super) lists: Box<[List]>,
    pub(super) objects: Box<[Members]>,
    pub(super) junctors: Box<[Junctors]>,
    /// All names of members, each once; a [`Word`] is a range of it.
    pub(super) words: Box<str>,
}

/// A range of the text of all names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Word {
    pub(super) start: u32,
    pub(super) len: u32,
}

/// The checks of one node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Node {
    /// The kinds of values that pass the type check.
    pub(super) kinds: Kinds,
    /// Whether every value passes, here and below.
    pub(super) passes_all: bool,
    /// `type`, `format` and `nullable`, for error texts.
    pub(super) types: Slot,
    /// The format that strings are checked against: a position in [`strfmt::FORMATS`].
    pub(super) format: Option<FormatId>,
    pub(super) text: Option<Slot>,
    pub(super) number: Option<Slot>,
    pub(super) enumeration: Option<Slot>,
    pub(super) list: Option<Slot>,
    pub(super) object: Option<Slot>,
    pub(super) junctors: Option<Slot>,
}

/// A format of strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct FormatId(u8);

impl FormatId {
    pub(super) fn find(name: &str) -> Option<Self> {
        let known = strfmt::find(strfmt::Applies::String, name)?;
        let position = strfmt::FORMATS
            .iter()
            .position(|format| format.name == known.name)?;
        u8::try_from(position).ok().map(Self)
    }

    pub(super) fn passes(self, text: &str) -> bool {
        (strfmt::FORMATS[usize::from(self.0)].check)(text)
    }
}

/// The checks of an array.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct List {
    pub(super) item: Option<NodeId>,
    pub(super) min: Option<i64>,
    pub(super) max: Option<i64>,
    pub(super) unique: bool,
}

/// The checks of an object.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Members {
    /// By name, sorted.
    pub(super) properties: Box<[Property]>,
    /// Positions in `properties` in the order of the schema.
    pub(super) order: Box<[u32]>,
    /// How many properties are required.
    pub(super) required: u32,
    /// A bit for each of the first 64 properties that is required.
    pub(super) required_bits: u64,
    /// Required members in the order of the schema.
    pub(super) required_names: Box<[Word]>,
    /// Required members that are not in `properties`.
    pub(super) required_others: Box<[Word]>,
    pub(super) additional: Additional,
    pub(super) min: Option<i64>,
    pub(super) max: Option<i64>,
}

/// A named member.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Property {
    /// The fingerprint of the name.
    pub(super) print: Print,
    pub(super) name: Word,
    pub(super) node: NodeId,
    pub(super) required: bool,
}

impl Named for Property {
    fn print(&self) -> Print {
        self.print
    }
}

/// Members that are not in `properties`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Additional {
    /// Not checked.
    Free,
    Refused,
    Node(NodeId),
}

/// Junctors: schemas combined by `allOf`, `anyOf`, `oneOf` and `not`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Junctors {
    pub(super) any: Box<[NodeId]>,
    pub(super) one: Box<[NodeId]>,
    pub(super) all: Box<[NodeId]>,
    pub(super) not: Option<NodeId>,
}

impl ValuePlan {
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(super) fn types(&self, node: &Node) -> &Types {
        &self.types[node.types.position()]
    }

    pub(super) fn text(&self, node: &Node) -> Option<&Text> {
        node.text.map(|slot| &self.texts[slot.position()])
    }

    pub(super) fn number(&self, node: &Node) -> Option<&Number> {
        node.number.map(|slot| &self.numbers[slot.position()])
    }

    pub(super) fn enumeration(&self, node: &Node) -> Option<&Enumeration> {
        node.enumeration.map(|slot| &self.enumerations[slot.position()])
    }

    pub(super) fn list(&self, node: &Node) -> Option<&List> {
        node.list.map(|slot| &self.lists[slot.position()])
    }

    pub(super) fn object(&self, node: &Node) -> Option<&Members> {
        node.object.map(|slot| &self.objects[slot.position()])
    }

    pub(super) fn junctors(&self, node: &Node) -> Option<&Junctors> {
        node.junctors.map(|slot| &self.junctors[slot.position()])
    }

    pub(super) fn word(&self, word: Word) -> &str {
        &self.words[word.start as usize..][..word.len as usize]
    }

    /// The property of a name. Many objects are sorted by name, so `hint` is tried first and then advanced.
    #[inline]
    pub(super) fn property_of<'m>(
        &self,
        members: &'m Members,
        name: &str,
        hint: &mut usize,
    ) -> Option<&'m Property> {
        let properties = &members.properties;
        if properties.len() > MANY {
            let by_name = |property: &Property| self.word(property.name).cmp(name);
            return properties
                .binary_search_by(by_name)
                .ok()
                .map(|at| &properties[at]);
        }
        let found = find_near(properties, Print::of(name), hint, |property| {
            is_same_key(self.word(property.name), name)
        })?;
        Some(&properties[found])
    }

    /// Memory of the plan in bytes, without compiled patterns.
    pub(crate) fn memory(&self) -> usize {
        fn boxed<T>(table: &[T]) -> usize {
            size_of_val(table)
        }
        let objects = self.objects.iter().map(|members| {
            boxed(&members.properties)
                + boxed(&members.order)
                + boxed(&members.required_names)
                + boxed(&members.required_others)
        });
        boxed(&self.nodes)
            + boxed(&self.types)
            + boxed(&self.texts)
            + boxed(&self.numbers)
            + boxed(&self.enumerations)
            + self.enumerations.iter().map(Enumeration::memory).sum::<usize>()
            + boxed(&self.lists)
            + boxed(&self.objects)
            + objects.sum::<usize>()
            + boxed(&self.junctors)
            + self.words.len()
    }
}

impl Members {
    /// The properties in the order of the schema.
    pub(super) fn in_order(&self) -> impl Iterator<Item = &Property> {
        self.order
            .iter()
            .map(|&position| &self.properties[position as usize])
    }
}
