//! Null items of lists. KEP-1929 leaves them in the object, for validation to reject; upstream reads them as zero values.

use kindsmith_gostd::quote::quote;
use kindsmith_json::{Path, Value};
use kindsmith_object::{BadValue, Detail, ErrorKind, Trace};
use kindsmith_schema::Scalar;

use super::Run;
use crate::plan::{MAX_DEPTH, NodeId, NodeShape, Plan};
use crate::value::Val;

impl<T: Trace> Run<'_, T> {
    /// Rejects null items in what an update changed, in the words of custom resources.
    pub(super) fn null_items(&mut self, node: NodeId, path: &Path<'_>, new: Value<'_>, old: Val<'_>) {
        if self.depth >= MAX_DEPTH || old == Some(new) {
            return;
        }
        self.depth += 1;
        let plan = self.plan;
        match (&plan.node(node).shape, new) {
            (NodeShape::Struct(members), Value::Object(object)) => {
                for (key, value) in object {
                    if let Ok(found) = members.keys.binary_search_by(|(known, _)| (**known).cmp(key)) {
                        let field = plan.field(members.keys[found].1);
                        let before = old.and_then(|old| old.get(key));
                        self.null_items(field.slot.node, &path.child(key), value, before);
                    }
                }
            }
            (NodeShape::List(element) | NodeShape::Array { element, .. }, Value::Array(items)) => {
                for (index, &item) in items.iter().enumerate() {
                    let path = path.index(index);
                    match item {
                        Value::Null => self.null_item(element.node, &path),
                        item => self.null_items(element.node, &path, item, None),
                    }
                }
            }
            (NodeShape::Map { value: entry, .. }, Value::Object(object)) => {
                for (key, value) in object {
                    let before = old.and_then(|old| old.get(key));
                    self.null_items(entry.node, &path.key(key), value, before);
                }
            }
            _ => {}
        }
        self.depth -= 1;
    }

    fn null_item(&mut self, node: NodeId, path: &Path<'_>) {
        let Some(want) = type_name(self.plan, node) else {
            return;
        };
        let text = format!("{path} in body must be of type {want}: {}", quote("null"));
        self.report(path, ErrorKind::TypeInvalid, "", || {
            (BadValue::Text("null".into()), Detail::Text(text.into()))
        });
    }
}

/// The type in a published schema; `None` if null is a value of it.
fn type_name(plan: &Plan, node: NodeId) -> Option<&'static str> {
    Some(match &plan.node(node).shape {
        NodeShape::Scalar(Scalar::String) | NodeShape::Bytes | NodeShape::WellKnown(_) => "string",
        NodeShape::Scalar(Scalar::Bool) => "boolean",
        NodeShape::Scalar(Scalar::Float32 | Scalar::Float64) => "number",
        NodeShape::Scalar(_) => "integer",
        NodeShape::List(_) | NodeShape::Array { .. } => "array",
        NodeShape::Map { .. } | NodeShape::Struct(_) => "object",
        NodeShape::Any | NodeShape::Unknown => return None,
    })
}
