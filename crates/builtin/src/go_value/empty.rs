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

/// Whether some member is an empty list, or may be an empty map: encoding would leave it out.
pub(crate) fn may_have_empty(value: Value<'_>) -> bool {
    match value {
        Value::Array(items) => items.iter().any(|item| may_have_empty(*item)),
        Value::Object(object) => object.into_iter().any(|(key, value)| match value {
            Value::Array([]) => true,
            Value::Object(object) if object.is_empty() => !names().others.contains(key),
            value => may_have_empty(value),
        }),
        _ => false,
    }
}

fn has_empty(value: Value<'_>) -> bool {
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
        Value::Object(object) => object.is_empty() && names().maps.contains(key),
        _ => false,
    }
}

/// Names of members by what they are wherever they occur. Some are in neither set.
struct Names {
    /// Always a map, so that an empty object of this name is not a struct.
    maps: HashSet<&'static str>,
    /// Never a map.
    others: HashSet<&'static str>,
}

fn names() -> &'static Names {
    static NAMES: OnceLock<Names> = OnceLock::new();
    NAMES.get_or_init(|| {
        let schema: &'static Schema = own_schema();
        let (mut maps, mut others) = (HashSet::new(), HashSet::new());
        for (_, ty) in schema.types() {
            for field in ty.fields() {
                let Some(name) = field.json_name() else { continue };
                if is_map(schema, &field.ty) {
                    maps.insert(name)
                } else {
                    others.insert(name)
                };
            }
        }
        let both: HashSet<&str> = maps.intersection(&others).copied().collect();
        maps.retain(|name| !both.contains(name));
        others.retain(|name| !both.contains(name));
        Names { maps, others }
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

    use super::{may_have_empty, without_empty};

    #[test]
    fn only_names_that_are_never_maps_stay_for_sure() {
        let arena = Arena::new();
        for (text, expected) in [
            (r#"{"data":{}}"#, true),
            (r#"{"spec":{"matchLabels":{}}}"#, true),
            (r#"{"a":[{"command":[]}]}"#, true),
            (r#"{"volumes":[{"emptyDir":{}}]}"#, false),
        ] {
            let value = parse_str(&arena, text).expect("it is JSON");
            assert_eq!(may_have_empty(value), expected, "{text}");
        }
    }

    #[test]
    fn empty_lists_and_maps_go_and_empty_structs_stay() {
        let arena = Arena::new();
        let text = r#"{"matchLabels":{},"matchExpressions":[],"emptyDir":{},"items":[{"command":[]}]}"#;
        let value = parse_str(&arena, text).expect("it is JSON");
        let kept = without_empty(&arena, value);
        assert_eq!(to_string(kept), r#"{"emptyDir":{},"items":[{}]}"#);
    }
}
