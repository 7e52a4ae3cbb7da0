//! JSON with duplicate keys as Go decodes it into a struct or map: one occurrence after the other into the same place,
//! so that objects are merged. The text has been parsed without error before.

use std::collections::HashMap;

use kindsmith_json::{Arena, Entry, Object, Value, parse_str};

use super::numbers::end_of_string;

/// How deep objects are merged.
const DEPTH: usize = 256;

/// The value of a text with all occurrences of duplicate keys merged; `None` if the text is malformed.
pub(super) fn merged<'a>(arena: &'a Arena, text: &'a [u8]) -> Option<Value<'a>> {
    let text = std::str::from_utf8(text).ok()?;
    let mut reader = Reader { arena, text, at: 0 };
    let mut place = Place::default();
    reader.value_into(&mut place, 0)?;
    Some(place.finish(arena))
}

/// What the occurrences of a key so far have left.
enum Place<'a> {
    Members(Members<'a>),
    Value(Value<'a>),
}

/// The members of an object, changed in place: each occurrence costs its own length only.
#[derive(Default)]
struct Members<'a> {
    places: Vec<(&'a str, Place<'a>)>,
    index: HashMap<&'a str, usize>,
}

impl Default for Place<'_> {
    fn default() -> Self {
        Place::Value(Value::Null)
    }
}

impl<'a> Place<'a> {
    /// The members of the object in this place; anything else is replaced.
    fn members(&mut self) -> &mut Members<'a> {
        if let Place::Value(_) = self {
            *self = Place::Members(Members::default());
        }
        match self {
            Place::Members(members) => members,
            Place::Value(_) => unreachable!("it was replaced above"),
        }
    }

    fn finish(self, arena: &'a Arena) -> Value<'a> {
        match self {
            Place::Value(value) => value,
            Place::Members(members) => {
                let entries: Vec<Entry<'a>> = members
                    .places
                    .into_iter()
                    .map(|(key, place)| Entry {
                        key,
                        value: place.finish(arena),
                    })
                    .collect();
                Value::Object(Object::from_entries(arena, arena.alloc_slice_copy(&entries)))
            }
        }
    }
}

impl<'a> Members<'a> {
    fn place(&mut self, key: &'a str) -> &mut Place<'a> {
        let next = self.places.len();
        let position = *self.index.entry(key).or_insert(next);
        if position == next {
            self.places.push((key, Place::default()));
        }
        &mut self.places[position].1
    }
}

/// Walks over the text once.
struct Reader<'a> {
    arena: &'a Arena,
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// Decodes the next value into a place that may hold something already.
    fn value_into(&mut self, place: &mut Place<'a>, depth: usize) -> Option<()> {
        match self.peek()? {
            b'{' if depth < DEPTH => {
                let members = place.members();
                self.each(b'}', |reader| {
                    let key = reader.scalar()?.as_str()?;
                    reader.skip(b':')?;
                    reader.value_into(members.place(key), depth + 1)
                })
            }
            b'[' if depth < DEPTH => {
                let mut items = Vec::new();
                self.each(b']', |reader| {
                    let mut item = Place::default();
                    reader.value_into(&mut item, depth + 1)?;
                    items.push(item.finish(reader.arena));
                    Some(())
                })?;
                *place = Place::Value(Value::Array(self.arena.alloc_slice_copy(&items)));
                Some(())
            }
            _ => {
                *place = Place::Value(self.scalar()?);
                Some(())
            }
        }
    }

    /// Reads what stands between an opening and its closing bracket, separated by commas.
    fn each(&mut self, close: u8, mut member: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.at += 1;
        loop {
            match self.peek()? {
                byte if byte == close => {
                    self.at += 1;
                    return Some(());
                }
                b',' => self.at += 1,
                _ => member(self)?,
            }
        }
    }

    /// Reads a string, number or literal; below the deepest level also a list or object as it stands.
    fn scalar(&mut self) -> Option<Value<'a>> {
        self.peek()?;
        let (bytes, start, mut level) = (self.text.as_bytes(), self.at, 0_usize);
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b'"' => {
                    self.at = end_of_string(bytes, self.at);
                    if level == 0 {
                        break;
                    }
                    continue;
                }
                b'{' | b'[' => level += 1,
                b'}' | b']' if level > 0 => level -= 1,
                b'}' | b']' | b',' | b':' | b' ' | b'\t' | b'\r' | b'\n' if level == 0 => break,
                _ => {}
            }
            self.at += 1;
        }
        let text = self.text.get(start..self.at)?;
        match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
            Some(plain) if !plain.contains('\\') => Some(Value::Str(plain)),
            _ => parse_str(self.arena, text).ok(),
        }
    }

    /// The next byte that is not white space.
    fn peek(&mut self) -> Option<u8> {
        loop {
            match self.text.as_bytes().get(self.at)? {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                &byte => return Some(byte),
            }
        }
    }

    fn skip(&mut self, expected: u8) -> Option<()> {
        (self.peek()? == expected).then(|| self.at += 1)
    }
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
            (
                r#"{"a":{"b":1},"a":{"c":[ ]},"a":null,"a":{"d":{}}}"#,
                r#"{"a":{"d":{}}}"#,
            ),
            (r#"{"a":null,"a": -1.5e3 }"#, r#"{"a":-1500}"#),
            ("[]", "[]"),
        ] {
            let value = merged(&arena, text.as_bytes()).expect("it is JSON");
            assert_eq!(to_string(value), expected);
        }
    }
}
