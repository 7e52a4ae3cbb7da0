//! Untyped values as Go prints them, for error texts. Knows no schema.

use kindsmith_gostd::float;
use kindsmith_json::{Value, write};

use crate::BadValue;

/// A value as encoding/json writes it.
#[must_use]
pub fn json(value: Value<'_>) -> String {
    write::Format::GO.to_string(value)
}

/// What Go calls the type of an untyped value (`reflect.Kind`).
#[must_use]
pub fn kind(value: Value<'_>) -> &'static str {
    match value {
        Value::Null => "nil",
        Value::Bool(_) => "bool",
        Value::Int(_) => "int64",
        Value::Uint(_) | Value::Float(_) => "float64",
        Value::Str(_) => "string",
        Value::Array(_) => "slice",
        Value::Object(_) => "map",
    }
}

/// A value as field errors show it.
#[must_use]
pub fn bad_value(value: Value<'_>) -> BadValue {
    match value {
        Value::Null => BadValue::Nil,
        Value::Bool(truth) => BadValue::Bool(truth),
        Value::Int(int) => BadValue::Integer(int.into()),
        Value::Uint(int) => BadValue::Float(int as f64),
        Value::Float(float) => BadValue::Float(float),
        Value::Str(text) => BadValue::Text(text.into()),
        Value::Array(_) | Value::Object(_) => BadValue::Json(json(value).into()),
    }
}

/// What is nested deeper is printed as JSON, so that no value overflows the stack.
const MAX_DEPTH: usize = 64;

/// The value, as `%v` prints it.
#[must_use]
pub fn printed(value: Value<'_>) -> String {
    let mut text = String::new();
    print(&mut text, value, 0);
    text
}

fn print(out: &mut String, value: Value<'_>, depth: usize) {
    match value {
        Value::Null => out.push_str("<nil>"),
        Value::Bool(truth) => out.push_str(if truth { "true" } else { "false" }),
        Value::Int(int) => out.push_str(&int.to_string()),
        Value::Uint(int) => out.push_str(&float::format_f64(int as f64)),
        Value::Float(float) => out.push_str(&float::format_f64(float)),
        Value::Str(text) => out.push_str(text),
        Value::Array(_) | Value::Object(_) if depth == MAX_DEPTH => out.push_str(&json(value)),
        Value::Array(items) => {
            out.push('[');
            for (index, &item) in items.iter().enumerate() {
                out.push_str(if index > 0 { " " } else { "" });
                print(out, item, depth + 1);
            }
            out.push(']');
        }
        Value::Object(object) => {
            out.push_str("map[");
            for (index, entry) in object.sorted().into_iter().enumerate() {
                out.push_str(if index > 0 { " " } else { "" });
                out.push_str(entry.key);
                out.push(':');
                print(out, entry.value, depth + 1);
            }
            out.push(']');
        }
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str};

    use super::*;

    fn check(text: &str, expected: &str) {
        let arena = Arena::new();
        let value = parse_str(&arena, text).expect("JSON");
        assert_eq!(format!("{} {}", printed(value), value.go_type()), expected);
    }

    #[test]
    fn values_print_as_in_go() {
        check("null", "<nil> <nil>");
        check("true", "true bool");
        check("7", "7 int64");
        check("6000000.5", "6.0000005e+06 float64");
        check(r#""a b""#, "a b string");
        check(r#"[1,"a",[]]"#, "[1 a []] []interface {}");
        check(
            r#"{"b":{"x":null},"a":1.5}"#,
            "map[a:1.5 b:map[x:<nil>]] map[string]interface {}",
        );
    }

    #[test]
    fn deep_values_print() {
        let arena = Arena::new();
        let text = format!("{}{}", "[".repeat(9000), "]".repeat(9000));
        let value = parse_str(&arena, &text).expect("JSON");
        assert_eq!(printed(value), text);
    }
}
