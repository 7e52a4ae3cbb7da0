//! Sets with the structs they reach into (structured-merge-diff `Set.EnsureNamedFieldsAreMembers`).

use kindsmith_json::Arena;

use crate::element::Element;
use crate::set::{FieldSet, Nodes};
use crate::topology::{AtomId, Topology};

impl Topology {
    /// The set with every declared member that something of the set is inside of: removing all of a struct's fields
    /// then removes the struct.
    #[must_use]
    pub fn with_named_members<'a>(&self, arena: &'a Arena, set: FieldSet<'a>) -> FieldSet<'a> {
        level(self, &mut Nodes::new(arena), Some(self.root()), set)
    }
}

fn level<'a>(
    topology: &Topology,
    nodes: &mut Nodes<'a>,
    id: Option<AtomId>,
    set: FieldSet<'a>,
) -> FieldSet<'a> {
    // Outside of what the schema knows nothing is declared.
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
