//! Adds to sets the structs that contain their fields (structured-merge-diff `Set.EnsureNamedFieldsAreMembers`).

use kindsmith_json::Arena;

use crate::element::Element;
use crate::set::{FieldSet, Nodes};
use crate::topology::{AtomId, Topology};

impl Topology {
    /// The set plus every declared member that contains a field of the set, so that removing all fields of a struct
    /// removes the struct.
    #[must_use]
    pub(crate) fn with_named_members<'a>(&self, arena: &'a Arena, set: FieldSet<'a>) -> FieldSet<'a> {
        level(self, &mut Nodes::new(arena), Some(self.root()), set)
    }
}

fn level<'a>(
    topology: &Topology,
    nodes: &mut Nodes<'a>,
    id: Option<AtomId>,
    set: FieldSet<'a>,
) -> FieldSet<'a> {
    // Outside the schema there are no declared members.
    let Some(atom) = id.map(|id| topology.atom(id)) else {
        return set;
    };
    let start = nodes.start();
    for node in set.nodes() {
        if node.children.is_empty() {
            nodes.push(node.element, node.member, node.children);
            continue;
        }
        let (declared, below) = match (node.element, &atom.map, &atom.list) {
            (Element::Field(name), Some(map), _) => match map.field(name) {
                Some(field) => (true, Some(field.ty)),
                None => (false, map.element),
            },
            (Element::Key(_), _, Some(list)) => (false, Some(list.element)),
            _ => (false, None),
        };
        let children = level(topology, nodes, below, node.children);
        nodes.push(node.element, node.member || declared, children);
    }
    nodes.finish(start)
}
