//! Where in the schema a value comes from, which bounds its size.

use std::sync::Arc;

use crate::types::decl::{Node, NodeShape};

use super::amount::Range;

/// What the variables of an expression have.
#[derive(Clone, Copy)]
pub(super) enum Root<'d> {
    /// Nothing is declared.
    Unknown,
    /// The value that a rule is about.
    Value(&'d Node),
    /// The device of a selector. Attributes can be read like fields, names of keys are bounded.
    Device(&'d Node),
}

impl Root<'_> {
    fn is_device(self) -> bool {
        matches!(self, Root::Device(_))
    }
}

/// The longest domain and name of an attribute or capacity (`DeviceMaxDomainLength`, `DeviceMaxIDLength`).
const DOMAIN_LENGTH: u64 = 63;
const NAME_LENGTH: u64 = 32;

/// The place of a value, and how many steps from a variable it is, the variable included.
#[derive(Clone, Copy)]
pub(super) struct Place<'d> {
    at: At<'d>,
    steps: u32,
}

#[derive(Clone, Copy)]
enum At<'d> {
    /// Computed, so it has no place.
    Nowhere,
    Node(&'d Node),
    /// A key of a map, with its bound.
    Key(u64),
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
    /// The place of a computed value.
    pub(super) const NOWHERE: Place<'static> = Place {
        at: At::Nowhere,
        steps: 0,
    };

    /// The place of a variable of the environment.
    pub(super) fn variable(root: Root<'d>) -> Place<'d> {
        let at = match root {
            Root::Unknown => At::Undeclared,
            Root::Value(node) | Root::Device(node) => At::Node(node),
        };
        Place { at, steps: 1 }
    }

    pub(super) fn is_nowhere(self) -> bool {
        matches!(self.at, At::Nowhere)
    }

    /// The place of a part. Kubernetes takes the parts of a computed value for `self`.
    pub(super) fn step(self, root: Root<'d>, step: Step<'_>) -> Place<'d> {
        let at = match self.at {
            At::Nowhere if root.is_device() => At::Undeclared,
            At::Nowhere => Place::variable(root).at,
            At::Node(node) => part(node, root, step),
            At::Key(_) | At::Undeclared => At::Undeclared,
        };
        Place {
            at,
            steps: self.steps + 1,
        }
    }

    /// The step to the key of an entry of this place, for a loop over keys and values. cel-go appends both steps to the same
    /// slice, so that the second one overwrites the first if the slice has room, and the key counts as the value.
    pub(super) fn key_step(self, key: Step<'_>) -> Step<'_> {
        let has_room = self.steps > 0 && !self.steps.is_power_of_two();
        if has_room { Step::Entry } else { key }
    }

    /// The size the schema declares.
    pub(super) fn size(self) -> Option<Range> {
        match self.at {
            At::Node(node) => Some(Range::up_to(node.max_elements)),
            At::Key(length) => Some(Range::up_to(length)),
            At::Nowhere | At::Undeclared => None,
        }
    }
}

fn part<'d>(node: &'d Node, root: Root<'d>, step: Step<'_>) -> At<'d> {
    let entry = node.element();
    let is_map = matches!(node.shape, NodeShape::Object(_)) && entry.is_some();
    let part = match step {
        Step::Key if is_map && root.is_device() => return At::Key(key_length(entry)),
        // Keys have no bound of their own and count as empty.
        Step::Key if is_map => return At::Key(0),
        Step::Key | Step::Index => None,
        Step::Entry => entry,
        Step::Field(_) if is_map && root.is_device() => entry.filter(|entry| entry.int_or_string),
        Step::Field(name) => node.field(name),
    };
    part.map_or(At::Undeclared, |part| At::Node(part))
}

/// The longest key of a map of domains or of names.
fn key_length(entry: Option<&Arc<Node>>) -> u64 {
    match entry.map(|entry| &entry.shape) {
        Some(NodeShape::Object(_)) => DOMAIN_LENGTH,
        _ => NAME_LENGTH,
    }
}
