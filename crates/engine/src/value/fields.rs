//! Which fields there are at a place.

use kindsmith_json::path::Step;

use crate::plan::{NodeShape, Plan};

impl Plan {
    /// The JSON names of the fields of the struct that a path leads to; none if there is no struct.
    #[must_use]
    pub fn fields_at(&self, path: &[Step]) -> Vec<&str> {
        let mut node = self.root;
        for step in path {
            let next = match (&self.node(node).shape, step) {
                (NodeShape::Struct(members), Step::Field(name) | Step::Key(name)) => {
                    let found = members.keys.iter().find(|(known, _)| **known == **name);
                    found.map(|(_, field)| self.field(*field).slot.node)
                }
                (NodeShape::Map { value, .. }, Step::Field(_) | Step::Key(_)) => Some(value.node),
                (NodeShape::List(element) | NodeShape::Array { element, .. }, Step::Index(_)) => {
                    Some(element.node)
                }
                _ => None,
            };
            let Some(next) = next else {
                return Vec::new();
            };
            node = next;
        }
        match &self.node(node).shape {
            NodeShape::Struct(members) => members.keys.iter().map(|(name, _)| &**name).collect(),
            _ => Vec::new(),
        }
    }
}
