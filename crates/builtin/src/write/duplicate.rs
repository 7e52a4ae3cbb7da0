//! JSON with duplicate keys as Go decodes it into a struct or map: one occurrence after the other into the same place,
//! so that objects are merged. The text has been parsed without error before.

use kindsmith_json::{Arena, Object, Value, parse_str};

use super::numbers::end_of_string;

/// How deep objects are merged.
const DEPTH: usize = 256;

/// The value of a text with all occurrences of duplicate keys merged; `None` if the text is malformed.
pub(super) fn merged<'a>(arena: &'a Arena, text: &'a [u8]) -> Option<Value<'a>> {
    let text = std::str::from_utf8(text).ok()?;
    value(arena, text.trim_matches(WHITESPACE), 0)
}

const WHITESPACE: [char; 4] = [' ', '\t', '\r', '\n'];

fn value<'a>(arena: &'a Arena, text: &'a str, depth: usize) -> Option<Value<'a>> {
    let inner = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    let Some(inner) = inner.filter(|_| depth < DEPTH) else {
        return list(arena, text, depth);
    };
    let mut object = Object::EMPTY;
    for member in parts(inner) {
        let end = end_of_string(member.as_bytes(), 0);
        let key = parse_str(arena, member.get(..end)?).ok()?.as_str()?;
        let rest = member
            .get(end..)?
            .trim_start_matches(WHITESPACE)
            .strip_prefix(':')?;
        let new = value(arena, rest.trim_matches(WHITESPACE), depth + 1)?;
        let joined = match object.get(key) {
            Some(old) => join(arena, old, new, depth),
            None => new,
        };
        object.insert(arena, key, joined);
    }
    Some(Value::Object(object))
}

fn list<'a>(arena: &'a Arena, text: &'a str, depth: usize) -> Option<Value<'a>> {
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let Some(inner) = inner.filter(|_| depth < DEPTH) else {
        return parse_str(arena, text).ok();
    };
    let items: Option<Vec<Value<'a>>> = parts(inner)
        .into_iter()
        .map(|item| value(arena, item, depth + 1))
        .collect();
    Some(Value::Array(arena.alloc_slice_copy(&items?)))
}

/// Decodes a value into a place that already has one.
fn join<'a>(arena: &'a Arena, old: Value<'a>, new: Value<'a>, depth: usize) -> Value<'a> {
    let (Value::Object(old), Value::Object(new)) = (old, new) else {
        return new;
    };
    let mut joined = old;
    for (key, value) in new {
        let value = match old.get(key) {
            Some(before) if depth < DEPTH => join(arena, before, value, depth + 1),
            _ => value,
        };
        joined.insert(arena, key, value);
    }
    Value::Object(joined)
}

/// The parts between commas of the same level, without surrounding white space.
fn parts(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let (mut parts, mut start, mut at, mut level) = (Vec::new(), 0, 0, 0_usize);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = end_of_string(bytes, at);
                continue;
            }
            b'{' | b'[' => level += 1,
            b'}' | b']' => level = level.saturating_sub(1),
            b',' if level == 0 => {
                parts.push(text[start..at].trim_matches(WHITESPACE));
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    parts.push(text[start..].trim_matches(WHITESPACE));
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use kindsmith_json::to_string;

    use super::*;

    #[test]
    fn repeated_objects_are_merged() {
        let arena = Arena::new();
        for (text, expected) in [
            (
                r#"{"data":{"a":"1","b":"x","a":"2"}, "data" : {"c":"3"}}"#,
                r#"{"data":{"a":"2","b":"x","c":"3"}}"#,
            ),
            (r#"{"l":[{"a":1,"a":2},"\",{"],"l":[ ]}"#, r#"{"l":[]}"#),
            (r#"{"l":[{"a":1,"a":2},"\",{"]}"#, r#"{"l":[{"a":2},"\",{"]}"#),
            ("[]", "[]"),
        ] {
            let value = merged(&arena, text.as_bytes()).expect("it is JSON");
            assert_eq!(to_string(value), expected);
        }
    }
}
