//! Parts of an object without reading the rest of its text.
//!
//! A label selector over 40,000 objects needs a few bytes of each. Only for text as this crate writes it: valid and
//! without spaces. What is in other text is not found, or not all of it.

use std::ops::Range;

use crate::read::string;
use crate::{Arena, Entry, Object, Value};

/// Returns an object with those members of the text that are at these paths, and nothing else. `None` if the text is not as
/// this crate writes it, as far as it was looked at.
#[must_use]
pub fn pick<'a>(arena: &'a Arena, text: &'a [u8], paths: &[Vec<String>]) -> Option<Value<'a>> {
    let mut picked = Value::Object(Object::EMPTY);
    for path in paths {
        if let Some(value) = find(text, path)? {
            let names: Vec<&'a str> = path.iter().map(|name| &*arena.alloc_str(name)).collect();
            picked.set(arena, &names, crate::parse(arena, value).ok()?);
        }
    }
    Some(picked)
}

/// Returns where the value of a member of the top is; `None` if it is not there, or the text is not as this crate writes it.
#[must_use]
pub fn span(text: &[u8], name: &str) -> Option<Range<usize>> {
    let start = member(text, 0, name)??;
    Some(start..after(text, start)?)
}

/// Returns where a member begins: the first of those below a member of the top for which `is_it` holds.
#[must_use]
pub fn place(text: &[u8], top: &str, mut is_it: impl FnMut(&[u8]) -> bool) -> Option<usize> {
    let mut at = member(text, 0, top)?? + 1;
    loop {
        let end = after_string(text, at)?;
        if is_it(text.get(at + 1..end - 1)?) {
            return Some(at);
        }
        at = after(text, end + 1)?;
        if text.get(at) != Some(&b',') {
            return None;
        }
        at += 1;
    }
}

/// Reads an object of plain strings, such as labels: the member `name` of the object in which a member begins at `at`, or a
/// later one. Returns how many entries of `out` it has, 0 if it is not there; `None` if it does not fit or strings have escapes.
#[must_use]
pub fn strings<'t>(text: &'t [u8], at: usize, name: &str, out: &mut [Entry<'t>]) -> Option<usize> {
    let Some(mut at) = member_from(text, at, name)? else {
        return Some(0);
    };
    let is_object = text.get(at) == Some(&b'{');
    at += 1;
    if !is_object || text.get(at) == Some(&b'}') {
        return is_object.then_some(0);
    }
    for count in 0.. {
        let (key, end) = plain_string(text, at)?;
        let (value, end) = plain_string(text, end.checked_add(1).filter(|_| text.get(end) == Some(&b':'))?)?;
        *out.get_mut(count)? = Entry {
            key,
            value: Value::Str(value),
        };
        match text.get(end)? {
            b',' => at = end + 1,
            b'}' => return Some(count + 1),
            _ => return None,
        }
    }
    None
}

/// Reads a string without escapes; returns it with the offset after it.
fn plain_string(text: &[u8], at: usize) -> Option<(&str, usize)> {
    if text.get(at) != Some(&b'"') {
        return None;
    }
    let end = string::special(text, at + 1);
    let plain = std::str::from_utf8(text.get(at + 1..end)?).ok()?;
    (text.get(end) == Some(&b'"')).then_some((plain, end + 1))
}

/// Returns the text of the member at a path: `Some(None)` if there is none.
fn find<'t>(text: &'t [u8], path: &[String]) -> Option<Option<&'t [u8]>> {
    let mut at = 0;
    for name in path {
        // What is below a list or a text is for others to say.
        if text.get(at) != Some(&b'{') {
            return None;
        }
        match member(text, at, name)? {
            Some(value) => at = value,
            None => return Some(None),
        }
    }
    let end = after(text, at)?;
    Some(text.get(at..end))
}

/// Returns where the value of a member of the object at `at` begins.
fn member(text: &[u8], at: usize, name: &str) -> Option<Option<usize>> {
    if text.get(at + 1) == Some(&b'}') {
        return Some(None);
    }
    member_from(text, at + 1, name)
}

/// The same, from the member on that begins at `at`.
fn member_from(text: &[u8], mut at: usize, name: &str) -> Option<Option<usize>> {
    loop {
        let end = after_string(text, at)?;
        if text.get(end) != Some(&b':') {
            return None;
        }
        if text.get(at + 1..end - 1) == Some(name.as_bytes()) {
            return Some(Some(end + 1));
        }
        at = after(text, end + 1)?;
        match text.get(at)? {
            b',' => at += 1,
            b'}' => return Some(None),
            _ => return None,
        }
    }
}

/// Returns the offset after the value at `at`.
fn after(text: &[u8], mut at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    loop {
        match text.get(at)? {
            b'"' => at = after_string(text, at)?,
            b'{' | b'[' => {
                depth += 1;
                at += 1;
                continue;
            }
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                at += 1;
            }
            b',' | b':' => {
                at += 1;
                continue;
            }
            _ => {
                let rest = &text[at..];
                let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']');
                at += rest.iter().position(ends).unwrap_or(rest.len());
            }
        }
        if depth == 0 {
            return Some(at);
        }
    }
}

/// Returns the offset after the string whose opening quote is at `at`.
fn after_string(text: &[u8], at: usize) -> Option<usize> {
    if text.get(at) != Some(&b'"') {
        return None;
    }
    let mut at = at + 1;
    loop {
        at = string::special(text, at);
        match text.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_str;

    fn check(text: &str, paths: &[&str], expected: Option<&str>) {
        let arena = Arena::new();
        let paths: Vec<Vec<String>> = paths
            .iter()
            .map(|path| path.split('.').map(str::to_owned).collect())
            .collect();
        let picked = pick(&arena, text.as_bytes(), &paths);
        let expected = expected.map(|expected| parse_str(&arena, expected).expect("a value"));
        assert_eq!(picked, expected, "{text}");
    }

    #[test]
    fn members_are_found_at_their_path_only() {
        let text = r#"{"kind":"a\"b{","metadata":{"x":[{"labels":1},"]"],"labels":{"a":"1","b":"{}"},"name":"n"},"spec":{"n":-1.5}}"#;
        check(
            text,
            &["metadata.labels"],
            Some(r#"{"metadata":{"labels":{"a":"1","b":"{}"}}}"#),
        );
        check(
            text,
            &["spec.n", "metadata.name"],
            Some(r#"{"metadata":{"name":"n"},"spec":{"n":-1.5}}"#),
        );
        check(text, &["labels"], Some("{}"));
        check(text, &["kind.labels"], None);
        check(
            text,
            &["kind", "spec"],
            Some(r#"{"kind":"a\"b{","spec":{"n":-1.5}}"#),
        );
        check("{}", &["kind"], Some("{}"));
    }

    #[test]
    fn places_are_those_of_members_of_a_member() {
        let text = br#"{"name":1,"metadata":{"labels":{"uid":"x"},"name":"n","uid":"u"}}"#;
        let check = |name: &str, expected: Option<&str>| {
            let at = place(text, "metadata", |known| known == name.as_bytes());
            let rest = at.map(|at| String::from_utf8_lossy(&text[at..]));
            assert_eq!(rest.as_deref(), expected, "{name}");
        };
        check("uid", Some(r#""uid":"u"}}"#));
        check("name", Some(r#""name":"n","uid":"u"}}"#));
        check("spec", None);
    }

    #[test]
    fn strings_are_read_from_a_member_on() {
        let check = |labels: &str, expected: Option<&[(&str, &str)]>| {
            let text = format!(r#"{{"a":{{"labels":{{"x":"y"}}}},"b":1,"labels":{labels},"z":{{}}}}"#);
            let none = Entry {
                key: "",
                value: Value::Null,
            };
            for at in [1, text.find("\"b\"").expect("a member")] {
                let mut out = [none; 2];
                let count = strings(text.as_bytes(), at, "labels", &mut out);
                let found = count.map(|count| {
                    out[..count]
                        .iter()
                        .map(|entry| (entry.key, entry.value.as_str().expect("text")))
                        .collect::<Vec<_>>()
                });
                assert_eq!(found.as_deref(), expected, "{text}");
            }
        };
        check("{}", Some(&[]));
        check(r#"{"a":"1"}"#, Some(&[("a", "1")]));
        check(r#"{"a":"1","é":""}"#, Some(&[("a", "1"), ("é", "")]));
        check(r#"{"a":"1","b":"2","c":"3"}"#, None);
        check(r#"{"a":"\n"}"#, None);
        check(r#"{"a":1}"#, None);
        check(r#"["a"]"#, None);
        assert_eq!(strings(br#"{"b":1}"#, 1, "labels", &mut []), Some(0));
    }

    #[test]
    fn other_text_is_not_understood() {
        for text in ["{\"a\" :1}", "{ \"a\":1}", "{\"b\":\"", "{\"b\":]}"] {
            check(text, &["a"], None);
        }
    }
}
