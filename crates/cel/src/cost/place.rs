//! Where in the schema a value comes from, which bounds its size.

use crate::types::decl::{Node, NodeShape};

use super::amount::Range;

/// The place of a value.
#[derive(Clone, Copy)]
pub(super) enum Place<'d> {
    /// Computed, so it has no place.
    Nowhere,
    At(&'d Node),
    /// A key of a map.
    Key,
    /// Below something the schema does not declare.
    Undeclared,
}

/// A step to a part of a value.
#[derive(Clone, Copy)]
pub(super) enum Step<'s> {
    Field(&'s str),
    /// An element of a list or a value of a map.
    Entry,
    Key,
    Index,
}

impl<'d> Place<'d> {
    /// The place of a variable of the environment.
    pub(super) fn variable(root: Option<&'d Node>) -> Place<'d> {
        root.map_or(Place::Undeclared, Place::At)
    }

    /// The place of a part. Kubernetes takes the parts of a computed value for `self`.
    pub(super) fn step(self, root: Option<&'d Node>, step: Step<'_>) -> Place<'d> {
        let node = match self {
            Place::Nowhere => return Place::variable(root),
            Place::At(node) => node,
            Place::Key | Place::Undeclared => return Place::Undeclared,
        };
        let is_map = matches!(node.shape, NodeShape::Object(_)) && node.element().is_some();
        let part = match step {
            Step::Key if is_map => return Place::Key,
            Step::Key | Step::Index => None,
            Step::Entry => node.element(),
            Step::Field(name) => node.field(name),
        };
        part.map_or(Place::Undeclared, |part| Place::At(part))
    }

    /// The size the schema declares; keys have no bound of their own and count as empty.
    pub(super) fn size(self) -> Option<Range> {
        match self {
            Place::At(node) => Some(Range::up_to(node.max_elements)),
            Place::Key => Some(Range::default()),
            Place::Nowhere | Place::Undeclared => None,
        }
    }
}
