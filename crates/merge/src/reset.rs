//! Fields that writes through an endpoint never own, because the server resets them (apiserver
//! `pkg/registry/rest`, `ResetFieldsStrategy`).

use kindsmith_json::Arena;

use crate::element::Element;
use crate::set::{FieldSet, Nodes};

/// Which fields an endpoint resets, as paths of member names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResetFields {
    /// These and everything below them: `[["status"]]`.
    Except(Vec<Vec<String>>),
    /// All except these and everything below; `*` matches any element: `[["spec", "containers", "*", "resources"]]`.
    Only(Vec<Vec<String>>),
}

impl ResetFields {
    /// Resets these paths, each of one member: `ResetFields::members(&["metadata", "spec"])`.
    #[must_use]
    pub fn members(names: &[&str]) -> Self {
        Self::Except(names.iter().map(|name| vec![(*name).to_owned()]).collect())
    }

    /// The set without what is reset.
    pub(crate) fn filter<'a>(&self, arena: &'a Arena, set: FieldSet<'a>) -> FieldSet<'a> {
        match self {
            Self::Except(paths) => {
                let paths: Vec<Vec<Element<'a>>> = paths.iter().map(|path| elements(arena, path)).collect();
                let paths: Vec<&[Element<'a>]> = paths.iter().map(Vec::as_slice).collect();
                set.recursive_difference(arena, FieldSet::from_paths(arena, &paths))
            }
            Self::Only(paths) => {
                let paths: Vec<&[String]> = paths.iter().map(Vec::as_slice).collect();
                only(&mut Nodes::new(arena), set, &paths)
            }
        }
    }
}

fn elements<'a>(arena: &'a Arena, path: &[String]) -> Vec<Element<'a>> {
    let names = path.iter().map(|name| Element::Field(arena.alloc_str(name)));
    names.collect()
}

fn only<'a>(nodes: &mut Nodes<'a>, set: FieldSet<'a>, paths: &[&[String]]) -> FieldSet<'a> {
    if paths.iter().any(|path| path.is_empty()) {
        return set;
    }
    let start = nodes.start();
    for node in set.nodes() {
        let fits = |name: &str| name == "*" || matches!(node.element, Element::Field(field) if field == name);
        let rests = paths
            .iter()
            .filter_map(|path| path.split_first().filter(|(name, _)| fits(name)));
        let rests: Vec<&[String]> = rests.map(|(_, rest)| rest).collect();
        if !rests.is_empty() {
            let children = only(nodes, node.children, &rests);
            nodes.push(node.element, node.member, children);
        }
    }
    nodes.finish(start)
}
