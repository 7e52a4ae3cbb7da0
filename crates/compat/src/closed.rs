//! The texts that a schema allows, if they can be listed: those of an enum, or of a pattern such as `^(red|green)$`.

use kindsmith_gostd::regexp::Regexp;
use kindsmith_json::{Arena, Value};
use kindsmith_schema::JsonSchema;

/// All texts that the schema allows; `None` if they are unlimited, or if values other than strings are allowed.
pub(crate) fn texts(schema: &JsonSchema) -> Option<Vec<String>> {
    if schema.enum_values.is_empty() {
        return alternatives(&schema.pattern).filter(|_| &*schema.ty == "string");
    }
    let arena = Arena::new();
    let texts = schema.enum_values.iter().map(|value| match value.value(&arena) {
        Value::Str(text) => Some(text.to_owned()),
        _ => None,
    });
    texts.collect()
}

/// Whether a text matches a pattern, as the server does it: anywhere, unless the pattern has anchors.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    Regexp::new(pattern).is_ok_and(|compiled| compiled.is_match(text))
}

/// The words of a pattern that is nothing but words: `^(red|green)$`, `^red$`.
fn alternatives(pattern: &str) -> Option<Vec<String>> {
    let inner = pattern.strip_prefix('^')?.strip_suffix('$')?;
    let group = inner.strip_prefix("(?:").or_else(|| inner.strip_prefix('('));
    let inner = match group {
        Some(group) => group.strip_suffix(')')?,
        // Without a group, the anchors belong to the first and the last word only.
        None if inner.contains('|') => return None,
        None => inner,
    };
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_/ :".contains(letter);
    inner
        .chars()
        .all(|letter| letter == '|' || is_plain(letter))
        .then(|| inner.split('|').map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_words() {
        let words = |pattern: &str| alternatives(pattern).map(|words| words.join(" "));
        for (pattern, expected) in [
            ("^(red|green)$", Some("red green")),
            ("^(?:red|green)$", Some("red green")),
            ("^red$", Some("red")),
            ("^$", Some("")),
            ("^red|green$", None),
            ("^(red|gr.*)$", None),
            ("^(red)|(green)$", None),
            ("(red|green)", None),
            ("", None),
        ] {
            assert_eq!(words(pattern).as_deref(), expected, "{pattern}");
        }
    }
}
