//! Elements as keys of `fieldsV1`: `f:name`, `k:{"port":80}`, `v:"a"`, `i:0`
//! (structured-merge-diff `fieldpath/serialize-pe.go`).

use kindsmith_gostd::strconv::atoi;
use kindsmith_json::write::Format;
use kindsmith_json::{Arena, Value, parse_str};

use crate::element::{Element, KeyField};

/// A key of `fieldsV1`, read.
pub(crate) enum Parsed<'a> {
    Element(Element<'a>),
    /// An unknown kind of element; it is dropped with everything below it.
    Unknown,
}

/// Reads a key of `fieldsV1`.
pub(crate) fn parse<'a>(arena: &'a Arena, text: &'a str) -> Result<Parsed<'a>, String> {
    let bytes = text.as_bytes();
    let [kind, colon, ..] = *bytes else {
        return Err("key must be 2 characters long:".to_owned());
    };
    if colon != b':' {
        return Err(format!("missing colon: {text}"));
    }
    // Never `None`: a character starts after the colon.
    let Some(rest) = text.get(2..) else {
        return Ok(Parsed::Unknown);
    };
    Ok(Parsed::Element(match kind {
        b'f' => Element::Field(rest),
        b'v' => Element::Value(numbers_as_floats(json(arena, rest)?)),
        b'k' => Element::Key(key(arena, rest)?),
        b'i' => Element::Index(atoi(rest).map_err(|error| error.to_string())?),
        _ => return Ok(Parsed::Unknown),
    }))
}

fn json<'a>(arena: &'a Arena, text: &'a str) -> Result<Value<'a>, String> {
    parse_str(arena, text).map_err(|error| error.to_string())
}

/// Upstream reads every number as a float; neither its output nor its comparisons show that.
fn numbers_as_floats(value: Value<'_>) -> Value<'_> {
    match value {
        Value::Int(number) => Value::Float(number as f64),
        Value::Uint(number) => Value::Float(number as f64),
        other => other,
    }
}

fn key<'a>(arena: &'a Arena, text: &'a str) -> Result<&'a [KeyField<'a>], String> {
    let object = match json(arena, text)? {
        Value::Object(object) => object,
        Value::Null => return Ok(&[]),
        other => return Err(format!("expect {{ or n, but found {}", other.kind().name())),
    };
    let fields = object.entries().iter().map(|entry| KeyField {
        name: entry.key,
        value: numbers_as_floats(entry.value),
    });
    let fields = arena.alloc_slice_fill_iter(fields);
    fields.sort_by_key(|field| field.name);
    Ok(fields)
}

/// Writes an element as a key of `fieldsV1`.
pub(crate) fn write<'a>(arena: &'a Arena, element: &Element<'_>) -> &'a str {
    let mut text = String::with_capacity(48);
    match element {
        Element::Field(name) => {
            text.push_str("f:");
            text.push_str(name);
        }
        Element::Key(fields) => {
            text.push_str("k:{");
            for (position, field) in fields.iter().enumerate() {
                if position > 0 {
                    text.push(',');
                }
                push_string(&mut text, field.name, false);
                text.push(':');
                push_value(&mut text, field.value);
            }
            text.push('}');
        }
        Element::Value(value) => {
            text.push_str("v:");
            push_value(&mut text, *value);
        }
        Element::Index(index) => {
            text.push_str("i:");
            text.push_str(&index.to_string());
        }
    }
    arena.alloc_str(&text)
}

fn push_value(text: &mut String, value: Value<'_>) {
    match value {
        Value::Str(string) => push_string(text, string, true),
        other => text.push_str(&Format::GO.to_string(other)),
    }
}

/// A string as jsoniter writes it, which has fewer short escapes than Go's own writer.
fn push_string(text: &mut String, string: &str, html: bool) {
    text.push('"');
    for character in string.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '<' | '>' | '&' if html => push_code(text, character),
            '\u{2028}' | '\u{2029}' if html => push_code(text, character),
            '\0'..' ' => push_code(text, character),
            _ => text.push(character),
        }
    }
    text.push('"');
}

fn push_code(text: &mut String, character: char) {
    text.push_str(&format!("\\u{:04x}", u32::from(character)));
}
