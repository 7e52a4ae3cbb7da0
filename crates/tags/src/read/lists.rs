//! Facts about lists from `listType`, `listMapKey`, `unique` and `customUnique` (validation-gen
//! `listMetadata`).

use std::collections::{HashMap, HashSet};

use kindsmith_schema::Field;

use super::misuse::Misuse;

/// Lists by the path of the field or type that declares them.
#[derive(Debug, Default)]
pub(crate) struct Lists<'a> {
    by_path: HashMap<String, ListMeta<'a>>,
    checked: HashSet<String>,
}

/// The facts about one list.
#[derive(Debug, Default)]
pub(crate) struct ListMeta<'a> {
    /// From `listType`: whether several writers own parts of the list.
    pub(crate) shared: Option<bool>,
    /// How items are identified.
    pub(crate) semantic: Option<Semantic>,
    /// Key members with their JSON names, in source order.
    pub(crate) keys: Vec<(String, &'a Field)>,
    /// Whether a tag of the list was rejected, so that missing parts are not reported.
    pub(crate) broken: bool,
}

/// How items of a list are identified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Semantic {
    /// Not at all.
    Atomic,
    /// By their value.
    Set,
    /// By their keys.
    Map,
}

impl Semantic {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Atomic => "atomic",
            Self::Set => "set",
            Self::Map => "map",
        }
    }
}

impl<'a> Lists<'a> {
    pub(crate) fn at(&mut self, path: &str) -> &mut ListMeta<'a> {
        self.by_path.entry(path.to_owned()).or_default()
    }

    pub(crate) fn get(&self, path: &str) -> Option<&ListMeta<'a>> {
        self.by_path.get(path)
    }

    /// Whether the list of this path was not checked before.
    pub(super) fn is_first_check(&mut self, path: &str) -> bool {
        self.checked.insert(path.to_owned())
    }
}

impl ListMeta<'_> {
    /// What is wrong with the facts together.
    pub(super) fn check(&self) -> Option<Misuse> {
        if self.broken {
            return None;
        }
        let is_map = self.semantic == Some(Semantic::Map);
        if !self.keys.is_empty() && !is_map {
            let text = "found listMapKey without listType=map or unique=map";
            return Some(Misuse::new(text).help("add +k8s:listType=map"));
        }
        if is_map && self.keys.is_empty() {
            let text = "found listType=map or unique=map without listMapKey";
            return Some(Misuse::new(text).help("add +k8s:listMapKey=<JSON name> for each key"));
        }
        if self.shared.is_none() {
            let text = "listType must be specified - use listType=atomic, listType=set, or listType=map";
            return Some(Misuse::new(text).help("add +k8s:listType=atomic"));
        }
        None
    }
}
