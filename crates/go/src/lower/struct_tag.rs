//! Struct tags: `key:"value"` pairs, as Go's `reflect.StructTag` finds them.

use crate::syntax::string_value;

/// The value of `key` in a struct tag without its outer quotes.
pub(super) fn lookup(tag: &str, key: &str) -> Option<String> {
    let mut rest = tag;
    loop {
        rest = rest.trim_start_matches(' ');
        let colon = rest.find(|c: char| c <= ' ' || c == ':' || c == '"' || c == '\u{7f}')?;
        let name = &rest[..colon];
        let quoted = rest[colon..].strip_prefix(":\"")?;
        if name.is_empty() {
            return None;
        }
        let end = closing_quote(quoted)?;
        if name == key {
            return string_value(&rest[colon + 1..colon + 2 + end + 1]);
        }
        rest = &quoted[end + 1..];
    }
}

/// Offset of the quote that ends a string whose opening quote was before `text`.
fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return Some(at),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(tag: &str, key: &str, value: Option<&str>) {
        assert_eq!(lookup(tag, key).as_deref(), value, "{tag}");
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
        check(r#"json:a"#, "json", None);
        check(r#"json:"a"#, "json", None);
        check(r#"json: "a""#, "json", None);
        check("", "json", None);
        check(":\"a\"", "", None);
    }
}
