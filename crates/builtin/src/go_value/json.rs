//! Values as encoding/json writes them, for messages and for comparisons.

use kindsmith_json::write::{Escape, Format, Order};
use kindsmith_json::{Arena, Value};
use kindsmith_object::BadValue;

use super::empty::without_empty;

/// A value as encoding/json writes it, keys sorted: equal values give equal texts.
pub(crate) fn as_json(value: Option<Value<'_>>) -> BadValue {
    written(value, Order::Sorted)
}

/// A value as encoding/json writes it, keys in the order of the Go type.
pub(crate) fn as_go(value: Option<Value<'_>>) -> BadValue {
    written(value, Order::Kept)
}

fn written(value: Option<Value<'_>>, order: Order) -> BadValue {
    match value {
        None | Some(Value::Null) => BadValue::Nil,
        Some(value) => {
            let arena = Arena::new();
            let value = without_empty(&arena, value);
            let mut text = String::new();
            Format::default()
                .escape(Escape::Html)
                .order(order)
                .append(&mut text, value);
            BadValue::Json(text.into())
        }
    }
}

/// Whether two values are equal, if an empty list or map is the same as an absent one.
pub(crate) fn is_same(left: Option<Value<'_>>, right: Option<Value<'_>>) -> bool {
    let text = |value: Option<Value<'_>>| match value {
        Some(Value::Array([])) => as_json(None),
        value => as_json(value),
    };
    text(left) == text(right)
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str};

    use super::is_same;

    #[test]
    fn an_empty_list_equals_an_absent_one() {
        let arena = Arena::new();
        let list = parse_str(&arena, "[]").expect("it is JSON");
        assert!(is_same(Some(list), None));
        let list = parse_str(&arena, "[1]").expect("it is JSON");
        assert!(!is_same(Some(list), None));
    }
}
