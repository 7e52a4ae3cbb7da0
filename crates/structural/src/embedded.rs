//! Finds embedded resources along the spine of a schema; `meta` validates them.

use kindsmith_json::{Path, Value};

use super::layout::{Additional, Below, Flags, NodeId, StructuralSchema};
use kindsmith_object::FieldError;
use kindsmith_object::meta::validate_embedded;

impl StructuralSchema {
    /// Checks every embedded resource in an object, but not the object itself
    /// (`Validate` in apiextensions-apiserver's pkg/apiserver/schema/objectmeta/validation.go).
    pub(super) fn validate_embedded(&self, object: Value<'_>, errors: &mut Vec<FieldError>) {
        walk(self, self.root, object, &Path::NIL, errors);
    }

    /// Does the object contain an embedded resource? The object itself counts only if its schema says so.
    #[must_use]
    pub fn has_embedded(&self, object: Value<'_>) -> bool {
        contains(self, self.root, object)
    }

    /// Does a value of a node contain an embedded resource?
    pub(super) fn has_embedded_at(&self, id: NodeId, value: Value<'_>) -> bool {
        contains(self, id, value)
    }

    /// Checks every embedded resource in a value at `path`; with `resource`, the value itself too.
    #[must_use]
    pub fn embedded_errors(&self, value: Value<'_>, path: &Path<'_>, resource: bool) -> Vec<FieldError> {
        let mut errors = Vec::new();
        if let (Value::Object(object), true) = (value, resource && !self.root().flags.has(Flags::EMBEDDED)) {
            validate_embedded(object, path, &mut errors);
        }
        walk(self, self.root, value, path, &mut errors);
        errors
    }
}

fn contains(structure: &StructuralSchema, id: NodeId, value: Value<'_>) -> bool {
    let node = structure.node(id);
    if !node.below.has(Below::EMBEDDED) {
        return false;
    }
    match value {
        Value::Object(_) if node.flags.has(Flags::EMBEDDED) => true,
        Value::Object(object) => {
            let mut near = 0;
            object.iter().any(|(key, value)| {
                structure
                    .member_near(node, key, &mut near)
                    .is_some_and(|member| contains(structure, member, value))
            })
        }
        Value::Array(items) => node
            .items
            .is_some_and(|item| items.iter().any(|&value| contains(structure, item, value))),
        _ => false,
    }
}

fn walk(
    structure: &StructuralSchema,
    id: NodeId,
    value: Value<'_>,
    path: &Path<'_>,
    errors: &mut Vec<FieldError>,
) {
    let node = structure.node(id);
    if !node.below.has(Below::EMBEDDED) {
        return;
    }
    match value {
        Value::Object(object) => {
            if node.flags.has(Flags::EMBEDDED) {
                validate_embedded(object, path, errors);
            }
            let mut near = 0;
            for (key, value) in object {
                match structure.position_near(node, key, &mut near) {
                    Some(position) => {
                        let property = structure.properties(node)[position].node;
                        walk(structure, property, value, &path.child(key), errors);
                    }
                    None => {
                        if let Additional::Schema(additional) = node.additional {
                            walk(structure, additional, value, &path.key(key), errors);
                        }
                    }
                }
            }
        }
        Value::Array(items) => {
            if let Some(item) = node.items {
                for (index, &value) in items.iter().enumerate() {
                    walk(structure, item, value, &path.index(index), errors);
                }
            }
        }
        _ => {}
    }
}
