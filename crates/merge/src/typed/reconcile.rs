//! Adapts sets that were written under an older schema (structured-merge-diff `typed/reconcile_schema.go`).

use kindsmith_json::Arena;

use super::{Handler, first_handler};
use crate::MAX_DEPTH;
use crate::element::Element;
use crate::set::{FieldSet, Nodes};
use crate::topology::{AtomId, Topology};

impl Topology {
    /// Replaces fields inside of a value that is atomic now by the value. The reverse needs no change.
    #[must_use]
    pub fn reconcile<'a>(&self, arena: &'a Arena, set: FieldSet<'a>) -> FieldSet<'a> {
        if needs_work(self, self.root(), set, 0) {
            level(self, &mut Nodes::new(arena), self.root(), set, 0)
        } else {
            set
        }
    }
}

/// What a node's children mean in a type.
enum Place {
    /// They are inside an atomic value.
    Atomic,
    /// They are not in the schema.
    Untyped,
    /// They have types of their own.
    Granular,
}

fn place(topology: &Topology, id: AtomId) -> Place {
    match first_handler(topology.atom(id)) {
        Handler::Map(map) if map.is_untyped(topology) => Place::Untyped,
        Handler::Map(map) if map.atomic => Place::Atomic,
        Handler::List(list) if !list.associative => Place::Atomic,
        Handler::Scalar(_) | Handler::Nothing => Place::Untyped,
        Handler::Map(_) | Handler::List(_) => Place::Granular,
    }
}

fn child(topology: &Topology, id: AtomId, element: &Element<'_>) -> Option<AtomId> {
    match (first_handler(topology.atom(id)), element) {
        (Handler::Map(map), Element::Field(name)) => map.child(name),
        (Handler::Map(map), _) => map.element,
        (Handler::List(list), _) => Some(list.element),
        _ => None,
    }
}

/// Schemas rarely change, so this check comes before any copying.
fn needs_work(topology: &Topology, id: AtomId, set: FieldSet<'_>, depth: usize) -> bool {
    if depth == MAX_DEPTH || !matches!(place(topology, id), Place::Granular) {
        return false;
    }
    set.nodes()
        .iter()
        .filter(|node| !node.children.is_empty())
        .any(|node| {
            child(topology, id, &node.element).is_some_and(|below| match place(topology, below) {
                Place::Atomic => true,
                Place::Untyped => false,
                Place::Granular => needs_work(topology, below, node.children, depth + 1),
            })
        })
}

fn level<'a>(
    topology: &Topology,
    nodes: &mut Nodes<'a>,
    id: AtomId,
    set: FieldSet<'a>,
    depth: usize,
) -> FieldSet<'a> {
    if depth == MAX_DEPTH || !matches!(place(topology, id), Place::Granular) {
        return set;
    }
    let start = nodes.start();
    for node in set.nodes() {
        let below = child(topology, id, &node.element).filter(|_| !node.children.is_empty());
        match below.map(|below| (below, place(topology, below))) {
            Some((_, Place::Atomic)) => nodes.push(node.element, true, FieldSet::EMPTY),
            Some((below, Place::Granular)) => {
                let children = level(topology, nodes, below, node.children, depth + 1);
                nodes.push(node.element, node.member, children);
            }
            _ => nodes.push(node.element, node.member, node.children),
        }
    }
    nodes.finish(start)
}
