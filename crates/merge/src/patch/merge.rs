//! JSON merge patch (RFC 7386), with the quirks of the library that the API server uses (evanphx/json-patch).

use kindsmith_gostd::budget;
use kindsmith_json::{Arena, Object, Value};

use super::{PatchError, document, expect_object};
use crate::MAX_DEPTH;

/// A merge patch.
#[derive(Debug, Clone)]
pub struct MergePatch<'a> {
    patch: Object<'a>,
    /// What strict decoding rejects in the patch itself.
    pub strict: Vec<String>,
}

impl<'a> MergePatch<'a> {
    /// Reads a patch.
    ///
    /// # Errors
    ///
    /// If it is not an object.
    pub fn read(arena: &'a Arena, bytes: &'a [u8]) -> Result<Self, PatchError> {
        let read = document(arena, bytes)?;
        expect_object(read.value)?;
        let Value::Object(patch) = read.value else {
            return Err(PatchError::BadRequest("Invalid JSON Patch".to_owned()));
        };
        let strict = read.duplicates.iter().map(ToString::to_string).collect();
        Ok(MergePatch { patch, strict })
    }

    /// Applies the patch to an object.
    #[must_use]
    pub fn apply(&self, arena: &'a Arena, target: Value<'a>) -> Value<'a> {
        Value::Object(merge(
            arena,
            target.as_object().unwrap_or_default(),
            self.patch,
            0,
        ))
    }
}

fn merge<'a>(arena: &'a Arena, target: Object<'a>, patch: Object<'a>, depth: usize) -> Object<'a> {
    let mut merged = target.edit(arena);
    budget::spend_in(1 + patch.len() as u64, || arena.allocated_bytes());
    for (key, value) in patch {
        let before = merged.get(key);
        let after = match (before, value) {
            (_, Value::Null) => {
                merged.remove(key);
                continue;
            }
            (Some(Value::Object(before)), Value::Object(value)) if depth < MAX_DEPTH => {
                Value::Object(merge(arena, before, value, depth + 1))
            }
            // A list or string that replaces an object is used unchanged, nulls included.
            (Some(Value::Object(_)), value) => value,
            (_, value) => without_nulls(arena, value, depth),
        };
        merged.insert(key, after);
    }
    merged.finish()
}

/// The value without null members; nulls in lists stay.
fn without_nulls<'a>(arena: &'a Arena, value: Value<'a>, depth: usize) -> Value<'a> {
    match value {
        Value::Object(object) if depth < MAX_DEPTH => {
            let mut kept = object.edit(arena);
            kept.retain(|_, value| !value.is_null());
            let left = object.values().filter(|value| !value.is_null());
            for (position, value) in left.enumerate() {
                kept.set(position, without_nulls(arena, value, depth + 1));
            }
            Value::Object(kept.finish())
        }
        Value::Array(items) if depth < MAX_DEPTH => {
            let items: Vec<Value<'a>> = items
                .iter()
                .map(|&item| without_nulls(arena, item, depth + 1))
                .collect();
            Value::Array(arena.alloc_slice_copy(&items))
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{parse_str, to_string};

    use super::*;

    fn check(target: &str, patch: &str, expected: Result<&str, &str>) {
        let arena = Arena::new();
        let target = parse_str(&arena, target).expect("JSON");
        let result = MergePatch::read(&arena, patch.as_bytes())
            .map(|patch| to_string(patch.apply(&arena, target)))
            .map_err(|error| error.to_string());
        assert_eq!(result.as_deref().map_err(String::as_str), expected, "{patch}");
    }

    #[test]
    fn objects_merge() {
        for (target, patch, expected) in [
            (r#"{"a":1}"#, r#"{"a":2,"b":3}"#, r#"{"a":2,"b":3}"#),
            (r#"{"a":1,"b":2}"#, r#"{"a":null}"#, r#"{"b":2}"#),
            (
                r#"{"a":{"x":1,"y":2}}"#,
                r#"{"a":{"x":null,"z":3}}"#,
                r#"{"a":{"y":2,"z":3}}"#,
            ),
            (r#"{"a":[1,2]}"#, r#"{"a":[3]}"#, r#"{"a":[3]}"#),
            (r"{}", r#"{"a":{"b":null,"c":{"d":null}}}"#, r#"{"a":{"c":{}}}"#),
            (r"{}", r#"{"a":[null,{"b":null}]}"#, r#"{"a":[null,{}]}"#),
            (
                r#"{"a":{"b":1}}"#,
                r#"{"a":[{"b":null}]}"#,
                r#"{"a":[{"b":null}]}"#,
            ),
            (r#"{"a":"text"}"#, r#"{"a":{"b":null,"c":1}}"#, r#"{"a":{"c":1}}"#),
            (r#"{"a":null}"#, r#"{"a":{"b":null}}"#, r#"{"a":{}}"#),
        ] {
            check(target, patch, Ok(expected));
        }
    }

    #[test]
    fn malformed_patches() {
        let into = "error decoding patch: json: cannot unmarshal";
        check("{}", "{spec: nope", Err("invalid JSON patch"));
        check("{}", "null", Err("Invalid JSON Patch"));
        check(
            "{}",
            "[]",
            Err(&format!(
                "{into} array into Go value of type map[string]interface {{}}"
            )),
        );
        check(
            "{}",
            "5",
            Err(&format!(
                "{into} number into Go value of type map[string]interface {{}}"
            )),
        );
    }
}
