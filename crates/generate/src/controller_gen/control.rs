//! Characters that a CRD cannot contain. controller-gen reads its JSON as YAML before it writes it, and YAML
//! rejects some characters that JSON does not escape (go-yaml `yaml_parser_update_buffer`).

use kindsmith_json::Value;

/// controller-gen's message about them.
pub(crate) const REFUSAL: &str = "yaml: control characters are not allowed";

/// Whether a value, written as this YAML document, contains such a character.
pub(crate) fn is_in(yaml: &str, value: Value<'_>) -> bool {
    // They are written as escapes, which also occur in many patterns. Looking for the backslash alone takes one fast pass.
    let mut escapes = yaml.match_indices('\\').map(|(at, _)| &yaml[at + 1..]);
    let may_be = escapes.any(|rest| {
        ["x7F", "x8", "x9", "uFFF"]
            .iter()
            .any(|escape| rest.starts_with(escape))
    });
    may_be && has(value)
}

fn has(value: Value<'_>) -> bool {
    match value {
        Value::Str(text) => text.contains(is_refused),
        Value::Array(items) => items.iter().any(|item| has(*item)),
        Value::Object(object) => {
            let mut entries = object.entries().iter();
            entries.any(|entry| entry.key.contains(is_refused) || has(entry.value))
        }
        _ => false,
    }
}

fn is_refused(character: char) -> bool {
    matches!(character, '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_characters_are_rejected() {
        for (text, escaped, wanted) in [
            ("a\u{7f}", "\"a\\x7F\"", true),
            ("a\u{9f}", "\"a\\x9F\"", true),
            ("a\u{ffff}", "\"a\\uFFFF\"", true),
            ("a\u{85}", "\"a\\N\"", false),
            ("a\u{1f}", "\"a\\x1F\"", false),
            (r"[\x7F]", r"'[\x7F]'", false),
        ] {
            assert_eq!(is_in(escaped, Value::from(text)), wanted, "{text:?}");
        }
    }
}
