//! Empty lists and maps. Until an object is encoded, Go tells them from absent ones, so messages about internal types show them.
//! They are equal to absent ones when an object is compared (`equality.Semantic` in apimachinery's
//! pkg/api/equality/semantic.go), and types of metav1 leave them out of their JSON.

use std::collections::HashSet;
use std::sync::OnceLock;

use kindsmith_json::{Arena, Object, Value};
use kindsmith_schema::{Schema, Shape, TypeRef};

use crate::types::own_schema;

/// The value without members that are an empty list or map.
pub(crate) fn without_empty<'a>(arena: &'a Arena, value: Value<'a>) -> Value<'a> {
    if !has_empty(value) {
        return value;
    }
    match value {
        Value::Array(items) => {
            let items: Vec<Value<'a>> = items.iter().map(|item| without_empty(arena, *item)).collect();
            Value::Array(arena.alloc_slice_copy(&items))
        }
        Value::Object(object) => {
            let mut kept = Object::EMPTY;
            for (key, value) in object {
                if !is_empty(key, value) {
                    kept.insert(arena, key, without_empty(arena, value));
                }
            }
            Value::Object(kept)
        }
        scalar => scalar,
    }
}

/// Whether two values are equal, if an empty list or map is the same as an absent one.
pub(crate) fn is_same(left: Option<Value<'_>>, right: Option<Value<'_>>) -> bool {
    let text = |value: Option<Value<'_>>| match value {
        Some(Value::Array([])) => crate::rule::as_json(None),
        value => crate::rule::as_json(value),
    };
    text(left) == text(right)
}

/// Whether some member is an empty list or map.
pub(crate) fn has_empty(value: Value<'_>) -> bool {
    match value {
        Value::Array(items) => items.iter().any(|item| has_empty(*item)),
        Value::Object(object) => object
            .into_iter()
            .any(|(key, value)| is_empty(key, value) || has_empty(value)),
        _ => false,
    }
}

fn is_empty(key: &str, value: Value<'_>) -> bool {
    match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(object) => object.is_empty() && maps().contains(key),
        _ => false,
    }
}

/// Names of members that are maps wherever they occur: an empty object of another name may be a struct.
fn maps() -> &'static HashSet<&'static str> {
    static MAPS: OnceLock<HashSet<&'static str>> = OnceLock::new();
    MAPS.get_or_init(|| {
        let schema: &'static Schema = own_schema();
        let (mut maps, mut others) = (HashSet::new(), HashSet::new());
        for (_, ty) in schema.types() {
            for field in ty.fields() {
                let Some(name) = field.json_name() else { continue };
                match is_map(schema, &field.ty) {
                    true => maps.insert(name),
                    false => others.insert(name),
                };
            }
        }
        maps.retain(|name| !others.contains(name));
        maps
    })
}

fn is_map(schema: &Schema, ty: &TypeRef) -> bool {
    match ty {
        TypeRef::Map(..) => true,
        TypeRef::Named(id) => match &schema.ty(*id).shape {
            Shape::Def(of) | Shape::Alias(of) => is_map(schema, of),
            _ => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str, to_string};

    use super::{is_same, without_empty};

    #[test]
    fn empty_lists_and_maps_go_and_empty_structs_stay() {
        let arena = Arena::new();
        let text = r#"{"matchLabels":{},"matchExpressions":[],"emptyDir":{},"items":[{"command":[]}]}"#;
        let value = parse_str(&arena, text).expect("it is JSON");
        let kept = without_empty(&arena, value);
        assert_eq!(to_string(kept), r#"{"emptyDir":{},"items":[{}]}"#);
        assert!(is_same(Some(kept), Some(value)));
    }

    #[test]
    fn an_empty_list_equals_an_absent_one() {
        let arena = Arena::new();
        let list = parse_str(&arena, "[]").expect("it is JSON");
        assert!(is_same(Some(list), None));
        let list = parse_str(&arena, "[1]").expect("it is JSON");
        assert!(!is_same(Some(list), None));
    }
}
