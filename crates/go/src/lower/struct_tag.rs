//! Struct tags: `key:"value"` pairs, as Go's `reflect.StructTag` finds them.

use memchr::memchr2;

/// The `key:"value"` pairs of a struct tag without its outer quotes; values keep their quotes. Ends at the
/// first invalid pair.
pub(super) fn pairs(tag: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = tag;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(' ');
        let ends_name = |byte: u8| byte <= b' ' || matches!(byte, b':' | b'"' | 0x7f);
        let colon = rest.bytes().position(ends_name)?;
        let (name, after) = rest.split_at(colon);
        let quoted = after.strip_prefix(":\"")?;
        let end = closing_quote(quoted).filter(|_| !name.is_empty())?;
        rest = &quoted[end + 1..];
        Some((name, &after[1..end + 3]))
    })
}

/// Offset of the quote that ends a string whose opening quote was before `text`.
fn closing_quote(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut from = 0;
    loop {
        let at = from + memchr2(b'"', b'\\', bytes.get(from..)?)?;
        if bytes[at] == b'"' {
            return Some(at);
        }
        from = at + 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::string_value;

    fn check(tag: &str, key: &str, value: Option<&str>) {
        let found = pairs(tag).find(|(name, _)| *name == key);
        assert_eq!(
            found.and_then(|(_, value)| string_value(value)).as_deref(),
            value,
            "{tag}"
        );
    }

    #[test]
    fn finds_keys_in_any_place() {
        check(
            r#"json:"a,omitempty" protobuf:"bytes,1""#,
            "json",
            Some("a,omitempty"),
        );
        check(r#"json:"a"  protobuf:"bytes,1""#, "protobuf", Some("bytes,1"));
        check(r#"json:"a""#, "yaml", None);
        check(r#"json:"""#, "json", Some(""));
    }

    #[test]
    fn values_are_unquoted() {
        check(r#"json:"a\"b""#, "json", Some("a\"b"));
        check(r#"x:"\\" json:"é""#, "json", Some("é"));
    }

    #[test]
    fn broken_tags_end_the_search() {
        check("json", "json", None);
        check(r"json:a", "json", None);
        check(r#"json:"a"#, "json", None);
        check(r#"json: "a""#, "json", None);
        check("", "json", None);
        check(":\"a\"", "", None);
    }
}
