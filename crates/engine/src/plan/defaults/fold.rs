//! Member names in defaults: generated code reads defaults with encoding/json, which ignores case.

use kindsmith_json::{Arena, Object, Value};
use kindsmith_schema::{Default, Json};

use crate::plan::{FieldPlan, Node, NodeId, NodeShape};

/// The default with member names spelled as in its type.
pub(super) fn folded(nodes: &[Node], fields: &[FieldPlan], node: NodeId, default: &Default) -> Default {
    let arena = Arena::new();
    let value = default.value().map(|json| json.value(&arena));
    match value {
        Some(value @ (Value::Array(_) | Value::Object(_))) => {
            Default::Value(Json::from(fold(nodes, fields, node, value, &arena, 0)))
        }
        _ => default.clone(),
    }
}

/// Defaults are written by hand; anything nested deeper is left as it is.
const MAX_DEPTH: usize = 64;

fn fold<'a>(
    nodes: &[Node],
    fields: &[FieldPlan],
    node: NodeId,
    value: Value<'a>,
    arena: &'a Arena,
    depth: usize,
) -> Value<'a> {
    if depth > MAX_DEPTH {
        return value;
    }
    let below = |node, value| fold(nodes, fields, node, value, arena, depth + 1);
    match (&nodes[node.0 as usize].shape, value) {
        (NodeShape::Struct(members), Value::Object(object)) => {
            let mut renamed = Object::EMPTY.edit(arena);
            for (key, value) in object {
                let exact = members.keys.iter().find(|(known, _)| **known == *key);
                let known = exact.or_else(|| members.keys.iter().find(|(known, _)| is_alike(known, key)));
                let Some((name, field)) = known else { continue };
                let value = below(fields[field.0 as usize].slot.node, value);
                renamed.insert(arena.alloc_str(name), value);
            }
            Value::Object(renamed.finish())
        }
        (NodeShape::List(element) | NodeShape::Array { element, .. }, Value::Array(items)) => {
            let items: Vec<_> = items.iter().map(|item| below(element.node, *item)).collect();
            Value::Array(arena.alloc_slice_copy(&items))
        }
        (NodeShape::Map { value: entry, .. }, Value::Object(object)) => {
            let mut renamed = object.edit(arena);
            for (position, value) in object.values().enumerate() {
                renamed.set(position, below(entry.node, value));
            }
            Value::Object(renamed.finish())
        }
        (_, value) => value,
    }
}

fn is_alike(left: &str, right: &str) -> bool {
    left.chars()
        .flat_map(char::to_lowercase)
        .eq(right.chars().flat_map(char::to_lowercase))
}
