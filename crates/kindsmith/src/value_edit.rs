//! Values with one place changed.

use kindsmith_json::path::Step;
use kindsmith_json::{Arena, ArrayEdit, Object, Value};

/// The value with another one at a place, or without it: `None` removes members, and leaves null among items. Objects that
/// are missing on the way are made.
pub(crate) fn replaced<'a>(
    arena: &'a Arena,
    value: Value<'a>,
    place: &[Step],
    new: Option<Value<'a>>,
) -> Value<'a> {
    let Some((step, rest)) = place.split_first() else {
        return new.unwrap_or_default();
    };
    match (step, value) {
        (Step::Index(index), Value::Array(items)) if *index < items.len() => {
            let mut edit = ArrayEdit::new(arena, items);
            edit.set(*index, replaced(arena, items[*index], rest, new));
            Value::Array(edit.finish())
        }
        (Step::Field(name) | Step::Key(name), Value::Object(mut object)) => {
            if rest.is_empty() && new.is_none() {
                object.remove(arena, name);
            } else {
                let below = object.get(name).unwrap_or(Value::Object(Object::EMPTY));
                let below = replaced(arena, below, rest, new);
                object.insert(arena, arena.alloc_str(name), below);
            }
            Value::Object(object)
        }
        (_, value) => value,
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{parse_str, to_string};

    use super::*;

    #[test]
    fn members_are_set_and_removed_and_items_replaced() {
        let arena = Arena::new();
        let field = |name: &str| Step::Field(name.into());
        let value = parse_str(&arena, r#"{"a":{"b":1},"c":[1,2]}"#).expect("JSON");
        for (place, new, expected) in [
            (vec![field("a"), field("b")], None, r#"{"a":{},"c":[1,2]}"#),
            (
                vec![field("c"), Step::Index(0)],
                None,
                r#"{"a":{"b":1},"c":[null,2]}"#,
            ),
            (
                vec![field("d"), field("e")],
                Some(Value::Bool(true)),
                r#"{"a":{"b":1},"c":[1,2],"d":{"e":true}}"#,
            ),
            (
                vec![field("c"), Step::Index(7)],
                None,
                r#"{"a":{"b":1},"c":[1,2]}"#,
            ),
        ] {
            assert_eq!(to_string(replaced(&arena, value, &place, new)), expected);
        }
    }
}
