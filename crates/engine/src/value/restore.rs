//! Why generic maps and lists do not convert to a Go value, in the words of the converter that the API server
//! uses after strategic merge patches (`fromUnstructured` in apimachinery's pkg/runtime/converter.go).

use kindsmith_json::{Arena, ArrayEdit, Value};
use kindsmith_object::go_value;
use kindsmith_schema::Scalar;

use crate::plan::{MAX_DEPTH, NodeId, NodeShape, Plan};

impl Plan {
    /// The converter's error for the first member that it rejects. Values of types with a decoder of their
    /// own are skipped.
    #[must_use]
    pub fn restore_error(&self, object: Value<'_>) -> Option<String> {
        self.restore(self.root, object, 0)
    }

    fn restore(&self, node: NodeId, value: Value<'_>, depth: usize) -> Option<String> {
        if value.is_null() || depth > MAX_DEPTH {
            return None;
        }
        let kind = go_value::kind(value);
        match (&self.node(node).shape, value) {
            (NodeShape::Scalar(scalar), value) => match (fits(*scalar, value), converts(*scalar, value)) {
                (true, _) => None,
                (false, true) => Some(format!("cannot convert {kind} to {}", self.node(node).go_name)),
                (false, false) => Some(format!("unrecognized type: {}", scalar_kind(*scalar))),
            },
            (NodeShape::Map { value: element, .. }, Value::Object(object)) => object
                .values()
                .find_map(|value| self.restore(element.node, value, depth + 1)),
            (NodeShape::Map { .. }, _) => Some(format!("cannot restore map from {kind}")),
            (NodeShape::List(element) | NodeShape::Array { element, .. }, Value::Array(items)) => items
                .iter()
                .find_map(|&item| self.restore(element.node, item, depth + 1)),
            (NodeShape::List(_), _) => Some(format!("cannot restore slice from {kind}")),
            (NodeShape::Struct(members), Value::Object(object)) => object.iter().find_map(|(key, value)| {
                let found = members
                    .keys
                    .binary_search_by(|(known, _)| (**known).cmp(key))
                    .ok()?;
                let field = self.field(members.keys[found].1);
                self.restore(field.slot.node, value, depth + 1)
            }),
            (NodeShape::Struct(_), _) => Some(format!("cannot restore struct from: {kind}")),
            _ => None,
        }
    }
}

impl Plan {
    /// The object with numbers as Go converts them where they are no value of their type: an integer keeps its lowest bits, and a
    /// number like `5.0` is an integer.
    #[must_use]
    pub fn restored<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        self.converted(self.root, arena, object, 0).unwrap_or(object)
    }

    /// `None` if nothing changes.
    fn converted<'a>(
        &self,
        node: NodeId,
        arena: &'a Arena,
        value: Value<'a>,
        depth: usize,
    ) -> Option<Value<'a>> {
        if depth > MAX_DEPTH {
            return None;
        }
        let below = |node, value| self.converted(node, arena, value, depth + 1);
        match (&self.node(node).shape, value) {
            (NodeShape::Scalar(scalar), value) => wrapped(*scalar, value),
            (NodeShape::List(element) | NodeShape::Array { element, .. }, Value::Array(items)) => {
                let mut edit = ArrayEdit::new(arena, items);
                for (index, &item) in items.iter().enumerate() {
                    if let Some(changed) = below(element.node, item) {
                        edit.set(index, changed);
                    }
                }
                edit.is_changed().then(|| Value::Array(edit.finish()))
            }
            (shape, Value::Object(object)) => {
                let (mut edit, mut is_changed) = (object.edit(arena), false);
                for (index, (key, value)) in object.iter().enumerate() {
                    let node = match shape {
                        NodeShape::Map { value: element, .. } => Some(element.node),
                        NodeShape::Struct(members) => {
                            let keys = &members.keys;
                            let found = keys.binary_search_by(|(known, _)| (**known).cmp(key));
                            found.ok().map(|found| self.field(keys[found].1).slot.node)
                        }
                        _ => None,
                    };
                    if let Some(changed) = node.and_then(|node| below(node, value)) {
                        edit.set(index, changed);
                        is_changed = true;
                    }
                }
                is_changed.then(|| Value::Object(edit.finish()))
            }
            _ => None,
        }
    }
}

/// An integer as a type of Go holds it; `None` if it holds the value as it is.
fn wrapped<'a>(scalar: Scalar, value: Value<'_>) -> Option<Value<'a>> {
    let (low, high) = scalar.range()?;
    let number = match value {
        Value::Int(number) => i128::from(number),
        Value::Uint(number) => i128::from(number),
        #[expect(
            clippy::cast_possible_truncation,
            reason = "larger numbers have no integer in Go either"
        )]
        Value::Float(number) if number.trunc() == number => i128::from(number as i64),
        _ => return None,
    };
    if (low..=high).contains(&number) && !matches!(value, Value::Float(_)) {
        return None;
    }
    let held = low + (number - low).rem_euclid(high - low + 1);
    i64::try_from(held).ok().map(Value::Int)
}

fn fits(scalar: Scalar, value: Value<'_>) -> bool {
    match (scalar, value) {
        (Scalar::String, Value::Str(_)) | (Scalar::Bool, Value::Bool(_)) => true,
        (Scalar::String | Scalar::Bool, _) => false,
        (Scalar::Float32 | Scalar::Float64, value) => value.as_f64().is_some(),
        (_, Value::Float(number)) => number.trunc() == number,
        (_, value) => matches!(value, Value::Int(_) | Value::Uint(_)),
    }
}

/// Whether Go itself would convert the value, which the converter then rejects.
fn converts(scalar: Scalar, value: Value<'_>) -> bool {
    match value {
        Value::Int(_) => scalar != Scalar::Bool,
        Value::Uint(_) | Value::Float(_) => !matches!(scalar, Scalar::Bool | Scalar::String),
        _ => false,
    }
}

fn scalar_kind(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::String => "string",
        Scalar::Bool => "bool",
        Scalar::Float32 => "float32",
        Scalar::Float64 => "float64",
        Scalar::Int32 => "int32",
        Scalar::Int64 => "int64",
        _ => "int",
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str};
    use kindsmith_schema::{Builder, Field, JsonTag, Shape, Struct, Type, TypeName, TypeRef};

    use super::*;

    #[test]
    fn conversion_errors_name_the_go_types() {
        let mut builder = Builder::default();
        let name = TypeName::new("example.org/api", "Thing");
        let id = builder.declare(&name);
        let text = || TypeRef::Scalar(Scalar::String);
        let fields = vec![
            Field::new("Text", JsonTag::parse("text"), text()),
            Field::new("Size", JsonTag::parse("size"), TypeRef::Scalar(Scalar::Int32)),
            Field::new(
                "Map",
                JsonTag::parse("map"),
                TypeRef::Map(Box::new(text()), Box::new(text())),
            ),
            Field::new("List", JsonTag::parse("list"), TypeRef::List(Box::new(text()))),
            Field::new(
                "Inner",
                JsonTag::parse("inner"),
                TypeRef::Pointer(Box::new(TypeRef::Named(id))),
            ),
        ];
        builder.define(id, Type::new(name, Shape::Struct(Struct { fields })));
        let (schema, renumbering) = builder.finish();
        let plan = Plan::compile(&schema, renumbering.ty(id));
        for (value, expected) in [
            (
                r#"{"text":"a","size":2.0,"map":{"a":"b"},"list":["a"],"inner":null,"other":1}"#,
                None,
            ),
            (r#"{"map":{"k1":5}}"#, Some("cannot convert int64 to string")),
            (
                r#"{"map":{"$retainKeys":["a"]}}"#,
                Some("unrecognized type: string"),
            ),
            (r#"{"inner":{"size":true}}"#, Some("unrecognized type: int32")),
            (r#"{"map":{"k1":true}}"#, Some("unrecognized type: string")),
            (r#"{"size":1.5}"#, Some("cannot convert float64 to int32")),
            (r#"{"map":[]}"#, Some("cannot restore map from slice")),
            (r#"{"list":{}}"#, Some("cannot restore slice from map")),
            (r#"{"inner":"x"}"#, Some("cannot restore struct from: string")),
        ] {
            let arena = Arena::new();
            let object = parse_str(&arena, value).expect("JSON");
            assert_eq!(plan.restore_error(object).as_deref(), expected, "{value}");
        }
        for (value, expected) in [
            (r#"{"size":5.0}"#, Some(Value::Int(5))),
            (
                r#"{"size":2147483648,"text":"a"}"#,
                Some(Value::Int(-2_147_483_648)),
            ),
            (r#"{"size":4294967297}"#, Some(Value::Int(1))),
            (r#"{"size":1.5}"#, Some(Value::Float(1.5))),
        ] {
            let arena = Arena::new();
            let object = parse_str(&arena, value).expect("JSON");
            let restored = plan.restored(&arena, object);
            assert_eq!(
                format!("{:?}", restored.get("size")),
                format!("{expected:?}"),
                "{value}"
            );
            let deep = kindsmith_json::object_of(&arena, &[("inner", object)]);
            let restored = plan.restored(&arena, deep);
            let found = restored.lookup(&["inner", "size"]);
            assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{value}");
        }
    }
}
