//! What a JSON or merge patch makes, before it is decoded: how errors show it, and what no kind takes.

use std::collections::HashMap;

use kindsmith_json::write::{Format, Order};
use kindsmith_json::{Arena, ArrayEdit, Entry, Object, Value};
use kindsmith_request::{Status, body};

/// The result as the library behind Kubernetes' patches writes it: what the patch opens has its keys in order, everything
/// else is as it was stored, which for custom resources is in order too.
pub(super) fn shown<'a>(arena: &'a Arena, patch: &'a [u8], patched: Value<'a>, is_custom: bool) -> String {
    if is_custom {
        return Format::default().order(Order::Sorted).to_string(patched);
    }
    let patch = kindsmith_json::parse(arena, patch).unwrap_or_default();
    let opened = match patch {
        Value::Array(operations) => operations
            .iter()
            .flat_map(|operation| ["path", "from"].map(|key| operation.text(key)))
            .map(|path| {
                path.split('/')
                    .skip(1)
                    .map(|part| unescaped(arena, part))
                    .collect()
            })
            .collect(),
        Value::Object(patch) => keys(patch, &[], 0),
        _ => Vec::new(),
    };
    let opened: Vec<&[&str]> = opened.iter().map(Vec::as_slice).collect();
    kindsmith_json::to_string(in_order(arena, patched, &opened))
}

/// The paths of a merge patch; deeper ones count as their upper part.
fn keys<'p>(patch: Object<'p>, above: &[&'p str], depth: usize) -> Vec<Vec<&'p str>> {
    const DEPTH: usize = 32;
    let mut paths = Vec::new();
    for (key, value) in patch {
        let path: Vec<&str> = above.iter().copied().chain([key]).collect();
        match value {
            Value::Object(inner) if depth < DEPTH => {
                // An empty object opens what is there as well.
                paths.push(path.iter().copied().chain([""]).collect());
                paths.extend(keys(inner, &path, depth + 1));
            }
            _ => {}
        }
        paths.push(path);
    }
    paths
}

/// A part of a JSON pointer.
fn unescaped<'a>(arena: &'a Arena, part: &'a str) -> &'a str {
    if part.contains('~') {
        arena.alloc_str(&part.replace("~1", "/").replace("~0", "~"))
    } else {
        part
    }
}

/// The value with keys in order wherever a path goes through.
fn in_order<'a>(arena: &'a Arena, value: Value<'a>, opened: &[&[&str]]) -> Value<'a> {
    let mut through: HashMap<&str, Vec<&[&str]>> = HashMap::default();
    for path in opened {
        if let [first, rest @ ..] = path
            && !rest.is_empty()
        {
            through.entry(*first).or_default().push(rest);
        }
    }
    match value {
        Value::Object(object) => {
            let entries = object.sorted().into_iter().map(|entry| Entry {
                key: entry.key,
                value: match through.get(entry.key) {
                    Some(below) => in_order(arena, entry.value, below),
                    None => entry.value,
                },
            });
            Value::Object(Object::from_entries(
                arena,
                arena.alloc_slice_copy(&entries.collect::<Vec<_>>()),
            ))
        }
        Value::Array(items) => {
            let mut edit = ArrayEdit::new(arena, items);
            for (index, below) in through {
                if let Ok(index) = index.parse()
                    && let Some(item) = items.get(index)
                {
                    edit.set(index, in_order(arena, *item, &below));
                }
            }
            Value::Array(edit.finish())
        }
        value => value,
    }
}

/// Rejects a result that is not an object, and a custom resource without kind or API version.
pub(super) fn check(patched: Value<'_>, shown: &str, is_custom: bool) -> Result<(), Status> {
    if !matches!(patched, Value::Object(_)) {
        let ty = r#"struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }"#;
        let found = patched.go_json_name();
        let why = format!(
            "couldn't get version/kind; json parse error: json: cannot unmarshal {found} into Go value of type {ty}"
        );
        return Err(body::invalid_patch(shown, &why));
    }
    let kind = patched.get("kind").filter(|kind| !kind.is_null());
    if is_custom && kind.is_none_or(|kind| kind == Value::Str("")) {
        return Err(body::invalid_patch(
            shown,
            &format!("Object 'Kind' is missing in '{shown}'"),
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(patch: &str, patched: &str, expected: &str) {
        let arena = Arena::new();
        let patched = kindsmith_json::parse_str(&arena, patched).expect("it is JSON");
        assert_eq!(
            shown(&arena, patch.as_bytes(), patched, false),
            expected,
            "{patch}"
        );
    }

    #[test]
    fn what_a_patch_opens_is_in_order() {
        let stored = r#"{"kind":"K","apiVersion":"v1","metadata":{"name":"n","labels":{"b":"1","a":"2"}}}"#;
        let top = r#"{"apiVersion":"v1","kind":"K","metadata":{"name":"n","labels":{"b":"1","a":"2"}}}"#;
        check(r#"[{"op":"replace","path":"/kind","value":"K"}]"#, stored, top);
        check(r#"{"kind":"K"}"#, stored, top);
        let below = r#"{"apiVersion":"v1","kind":"K","metadata":{"labels":{"b":"1","a":"2"},"name":"n"}}"#;
        check(
            r#"[{"op":"add","path":"/metadata/labels","value":{}}]"#,
            stored,
            below,
        );
        check(r#"{"metadata":{"labels":null}}"#, stored, below);
        check(r#"{"metadata":{}}"#, stored, below);
        check(
            r#"[{"op":"copy","from":"/metadata/name","path":"/kind"}]"#,
            stored,
            below,
        );
        let listed = r#"{"spec":{"list":[{"b":1,"a":{"d":1,"c":2}},{"b":1,"a":2}]}}"#;
        check(
            r#"[{"op":"add","path":"/spec/list/0/a~0b/x","value":1}]"#,
            listed,
            r#"{"spec":{"list":[{"a":{"d":1,"c":2},"b":1},{"b":1,"a":2}]}}"#,
        );
    }

    #[test]
    fn lists_and_nameless_kinds_are_rejected() {
        let told = |value: &str, is_custom: bool| {
            let arena = Arena::new();
            let value = kindsmith_json::parse_str(&arena, value).expect("it is JSON");
            super::check(value, "x", is_custom)
                .err()
                .map(|status| status.message)
        };
        assert!(
            told("[]", false)
                .is_some_and(|why| why.contains("cannot unmarshal array into Go value of type struct {"))
        );
        let missing = r#" "" is invalid: patch: Invalid value: "x": Object 'Kind' is missing in 'x'"#;
        assert_eq!(told(r#"{"apiVersion":"v1"}"#, true).as_deref(), Some(missing));
        assert_eq!(told(r#"{"apiVersion":"v1"}"#, false), None);
    }
}
