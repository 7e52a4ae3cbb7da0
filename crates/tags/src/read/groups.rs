//! State of unions, groups, modes and update constraints of one struct or list.

use std::collections::{BTreeMap, HashMap};

use kindsmith_schema::{Field, Selector, Str};

use super::at::At;

/// State by the path of the surrounding struct or list.
#[derive(Debug, Default)]
pub(crate) struct Groups<'a> {
    /// Unions by path, then by name.
    pub(crate) unions: HashMap<String, BTreeMap<String, Union<'a>>>,
    /// At-most-one groups by path, then by name.
    pub(crate) at_most_one: HashMap<String, BTreeMap<String, Union<'a>>>,
    /// Mode groups by path, then by name; the unnamed one is `default`.
    pub(crate) modes: HashMap<String, BTreeMap<String, Modes<'a>>>,
    /// KEP-5073's groups of virtual fields by package and name: where they are declared, and their members.
    pub(crate) virtual_groups: BTreeMap<(Str, Str), VirtualGroup<'a>>,
    /// The first tag with a constraint on adding and removing items, by path.
    pub(crate) item_updates: HashMap<String, At<'a>>,
}

/// Which of the two kinds of groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnionKind {
    /// Exactly one.
    Union,
    /// At most one.
    ZeroOrOne,
}

/// A union.
#[derive(Debug, Default)]
pub(crate) struct Union<'a> {
    /// Number of members that are fields.
    pub(crate) fields: usize,
    /// Members that are list items, by the name messages use.
    pub(crate) items: Vec<(String, Selector, At<'a>)>,
}

/// A group of virtual fields.
#[derive(Debug, Default)]
pub(crate) struct VirtualGroup<'a> {
    /// The first `union` that declares it.
    pub(crate) declared: Option<At<'a>>,
    /// The first member.
    pub(crate) member: Option<At<'a>>,
}

/// A mode group.
#[derive(Debug, Default)]
pub(crate) struct Modes<'a> {
    /// The field that selects the mode.
    pub(crate) discriminator: Option<&'a Field>,
    /// Whether a discriminator was rejected, so that a missing one is not reported.
    pub(crate) broken: bool,
    /// The fields with rules, by Go name, with each mode they name.
    pub(crate) members: BTreeMap<String, Vec<(String, At<'a>)>>,
}

impl<'a> Groups<'a> {
    pub(crate) fn union(&mut self, kind: UnionKind, path: &str, name: &str) -> &mut Union<'a> {
        let by_path = match kind {
            UnionKind::Union => &mut self.unions,
            UnionKind::ZeroOrOne => &mut self.at_most_one,
        };
        let named = by_path.entry(path.to_owned()).or_default();
        named.entry(name.to_owned()).or_default()
    }

    pub(crate) fn modes(&mut self, path: &str, name: &str) -> &mut Modes<'a> {
        let groups = self.modes.entry(path.to_owned()).or_default();
        groups.entry(group_key(name).to_owned()).or_default()
    }
}

/// The key of a mode group, which is not empty for the unnamed one.
pub(crate) fn group_key(name: &str) -> &str {
    if name.is_empty() { "default" } else { name }
}
