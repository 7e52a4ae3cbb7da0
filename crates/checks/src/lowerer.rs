//! The state of reading tags. What each tag does to it is beside the tag.

use std::collections::{HashMap, HashSet};

use kindsmith_schema::{FieldId, Schema, Str, TypeId};

use crate::collected::{Metadata, Modes, Unions, Updates};
use crate::{Lowered, Profile, Types};

/// State collected from tags so far, by the generator's name of the place.
pub(crate) struct Lowerer<'s> {
    pub(crate) types: Types<'s>,
    pub(crate) profile: Profile,
    pub(crate) done: Lowered,
    pub(crate) under_way: HashSet<TypeId>,
    pub(crate) lists: HashMap<String, Metadata>,
    pub(crate) lists_done: HashSet<String>,
    pub(crate) unions: HashMap<String, Unions>,
    pub(crate) groups: HashMap<String, Unions>,
    pub(crate) modes: HashMap<String, Modes>,
    pub(crate) updates: HashMap<String, Updates>,
    pub(crate) inherited: HashSet<String>,
    pub(crate) opaque_members: HashSet<FieldId>,
    pub(crate) opaque_types: HashSet<TypeId>,
    /// Groups of virtual fields across structs.
    pub(crate) spanning: HashSet<Str>,
}

impl<'s> Lowerer<'s> {
    pub(crate) fn new(schema: &'s Schema, profile: Profile) -> Self {
        Self {
            types: Types::new(schema),
            profile,
            done: HashMap::new(),
            under_way: HashSet::new(),
            lists: HashMap::new(),
            lists_done: HashSet::new(),
            unions: HashMap::new(),
            groups: HashMap::new(),
            modes: HashMap::new(),
            updates: HashMap::new(),
            inherited: HashSet::new(),
            opaque_members: HashSet::new(),
            opaque_types: HashSet::new(),
            spanning: HashSet::new(),
        }
    }
}
