//! Values as Go's `fmt` prints untyped data, which is how upstream's messages show them.

use kindsmith_gostd::float::format_f64;
use kindsmith_gostd::quote::push_quoted;
use kindsmith_json::Value;

/// Values nested deeper are cut off in messages.
const MAX_DEPTH: usize = 32;

/// `%v` of upstream's wrapper around a value.
pub(super) fn plain(value: Value<'_>) -> String {
    let mut text = String::from("&{");
    push_plain(&mut text, value, 0);
    text.push('}');
    text
}

/// `%#v` of upstream's wrapper around a value.
pub(super) fn syntax(value: Value<'_>) -> String {
    let mut text = String::from("&value.valueUnstructured{Value:");
    push_syntax(&mut text, value, 0);
    text.push('}');
    text
}

fn push_plain(text: &mut String, value: Value<'_>, depth: usize) {
    match value {
        Value::Null => text.push_str("<nil>"),
        Value::Str(string) => text.push_str(string),
        Value::Array(_) | Value::Object(_) if depth == MAX_DEPTH => {}
        Value::Array(items) => {
            text.push('[');
            for (position, item) in items.iter().enumerate() {
                if position > 0 {
                    text.push(' ');
                }
                push_plain(text, *item, depth + 1);
            }
            text.push(']');
        }
        Value::Object(object) => {
            text.push_str("map[");
            for (position, entry) in object.sorted().iter().enumerate() {
                if position > 0 {
                    text.push(' ');
                }
                text.push_str(entry.key);
                text.push(':');
                push_plain(text, entry.value, depth + 1);
            }
            text.push(']');
        }
        scalar => push_scalar(text, scalar),
    }
}

fn push_syntax(text: &mut String, value: Value<'_>, depth: usize) {
    match value {
        Value::Null => text.push_str("interface {}(nil)"),
        Value::Str(string) => push_quoted(text, string),
        Value::Array(_) | Value::Object(_) if depth == MAX_DEPTH => {}
        Value::Array(items) => {
            text.push_str("[]interface {}{");
            for (position, item) in items.iter().enumerate() {
                if position > 0 {
                    text.push_str(", ");
                }
                push_syntax(text, *item, depth + 1);
            }
            text.push('}');
        }
        Value::Object(object) => {
            text.push_str("map[string]interface {}{");
            for (position, entry) in object.sorted().iter().enumerate() {
                if position > 0 {
                    text.push_str(", ");
                }
                push_quoted(text, entry.key);
                text.push(':');
                push_syntax(text, entry.value, depth + 1);
            }
            text.push('}');
        }
        scalar => push_scalar(text, scalar),
    }
}

fn push_scalar(text: &mut String, value: Value<'_>) {
    match value {
        Value::Bool(truth) => text.push_str(if truth { "true" } else { "false" }),
        Value::Int(number) => text.push_str(&number.to_string()),
        Value::Uint(number) => text.push_str(&format_f64(number as f64)),
        Value::Float(number) => text.push_str(&format_f64(number)),
        _ => {}
    }
}
