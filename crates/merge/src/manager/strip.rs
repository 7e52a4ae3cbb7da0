//! Fields that belong to the server, so no manager owns them (apimachinery `stripmeta.go`).

use kindsmith_json::Arena;

use crate::element::Element;
use crate::set::{FieldSet, Node};

static METADATA: [Node<'static>; 9] = [
    leaf("clusterName"),
    leaf("creationTimestamp"),
    leaf("generation"),
    leaf("managedFields"),
    leaf("name"),
    leaf("namespace"),
    leaf("resourceVersion"),
    leaf("selfLink"),
    leaf("uid"),
];

static SERVERS: [Node<'static>; 3] = [
    leaf("apiVersion"),
    leaf("kind"),
    Node {
        element: Element::Field("metadata"),
        member: true,
        children: FieldSet::of_nodes(&METADATA),
    },
];

const fn leaf(name: &'static str) -> Node<'static> {
    Node {
        element: Element::Field(name),
        member: true,
        children: FieldSet::EMPTY,
    }
}

/// The set without type, name and other fields that belong to the server.
pub(super) fn strip<'a>(arena: &'a Arena, set: FieldSet<'a>) -> FieldSet<'a> {
    set.difference(arena, FieldSet::of_nodes(&SERVERS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_as_sets_need_them() {
        for level in [&METADATA[..], &SERVERS[..]] {
            assert!(level.is_sorted_by(|left, right| left.element < right.element));
        }
    }
}
