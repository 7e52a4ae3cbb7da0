//! What tags say about lists, unions, modes and updates, collected until all tags of a place are seen.

use std::collections::{BTreeMap, BTreeSet};

use kindsmith_schema::{FieldId, Level, Literal, Str, UpdateConstraint};

use crate::{Call, Matching, Profile};

/// Facts about one list.
#[derive(Debug, Clone, Default)]
pub(crate) struct Metadata {
    pub(crate) owned: bool,
    pub(crate) semantic: Option<Semantic>,
    pub(crate) keys: Vec<FieldId>,
    pub(crate) custom_unique: bool,
    pub(crate) level: Option<Level>,
}

/// How items of a list are identified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Semantic {
    Atomic,
    Set,
    Map,
}

/// The groups of one struct or list, by name.
pub(crate) type Unions = BTreeMap<String, UnionGroup>;

/// Facts about one union, from its tags.
#[derive(Debug, Default)]
pub(crate) struct UnionGroup {
    pub(crate) names: Vec<(Str, Str)>,
    pub(crate) fields: Vec<FieldId>,
    /// By name in messages. Upstream checks items in the order of these names but lists names in tag order.
    pub(crate) items: BTreeMap<String, Vec<(FieldId, Literal)>>,
    pub(crate) discriminator: Option<(Str, FieldId)>,
}

/// The mode groups of one struct, by name.
pub(crate) type Modes = BTreeMap<String, ModeGroup>;

/// Facts about one group of modes, from its tags.
#[derive(Debug, Default)]
pub(crate) struct ModeGroup {
    pub(crate) discriminator: Option<FieldId>,
    /// By Go name of the field.
    pub(crate) members: BTreeMap<Str, (FieldId, Vec<ModeRule>)>,
}

/// The calls of one rule in one mode.
#[derive(Debug)]
pub(crate) struct ModeRule {
    pub(crate) mode: Str,
    pub(crate) calls: Vec<Call>,
    pub(crate) level: Option<Level>,
}

/// The constraints of one field on its updates.
#[derive(Debug, Default)]
pub(crate) struct Updates {
    pub(crate) constraints: BTreeSet<UpdateConstraint>,
    pub(crate) level: Option<Level>,
}

impl Metadata {
    /// How elements find their old values.
    pub(crate) fn matching(&self, profile: Profile) -> Matching {
        match self.semantic {
            Some(Semantic::Map) => Matching::Keys(self.keys.clone()),
            Some(Semantic::Set) => Matching::Value,
            // The KEP's table validates only items that are not found by value; upstream validates all.
            _ if profile == Profile::Kep => Matching::Value,
            _ => Matching::None,
        }
    }
}
