//! The character "next line" (U+0085) in texts. controller-gen reads its JSON as YAML before it writes it,
//! and YAML 1.1 treats this character as a line break, which is folded inside quotes (go-yaml
//! `yaml_parser_scan_flow_scalar`). JSON escapes all other line breaks.

use kindsmith_json::{Arena, Entry, Object, Value};

const NEXT_LINE: char = '\u{85}';

/// Whether a YAML document may contain such a character, which is written as `\N`.
pub(crate) fn may_be_in(yaml: &str) -> bool {
    let mut escapes = yaml.match_indices('\\');
    escapes.any(|(at, _)| yaml[at + 1..].starts_with('N'))
}

/// The value with all texts folded.
pub(crate) fn folded<'a>(arena: &'a Arena, value: Value<'a>) -> Value<'a> {
    match value {
        Value::Str(text) => Value::Str(fold(arena, text)),
        Value::Array(items) => {
            let items = items.iter().map(|item| folded(arena, *item));
            Value::Array(arena.alloc_slice_fill_iter(items))
        }
        Value::Object(object) => {
            let entries = object.entries().iter().map(|entry| Entry {
                key: fold(arena, entry.key),
                value: folded(arena, entry.value),
            });
            Object::from_entries(arena, arena.alloc_slice_fill_iter(entries)).into()
        }
        other => other,
    }
}

/// One break becomes a space, several lose one; blanks around them are dropped too.
fn fold<'a>(arena: &'a Arena, text: &'a str) -> &'a str {
    if !text.contains(NEXT_LINE) {
        return text;
    }
    let mut folded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(NEXT_LINE) {
        folded.push_str(rest[..at].trim_end_matches(' '));
        let after = rest[at..].trim_start_matches([NEXT_LINE, ' ']);
        let breaks = rest[at..rest.len() - after.len()].matches(NEXT_LINE).count();
        match breaks {
            1 => folded.push(' '),
            _ => folded.extend(std::iter::repeat_n('\n', breaks - 1)),
        }
        rest = after;
    }
    folded.push_str(rest);
    arena.alloc_str(&folded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_are_folded() {
        for (text, wanted) in [
            ("a b", "a b"),
            ("a\u{85}b", "a b"),
            ("  a \u{85} b ", "  a b "),
            ("\u{85}a", " a"),
            ("a\u{85}\u{85}b", "a\nb"),
            ("a \u{85} \u{85} \u{85}b\t\u{85}\tc", "a\n\nb\t \tc"),
        ] {
            assert_eq!(fold(&Arena::new(), text), wanted, "{text:?}");
        }
    }
}
