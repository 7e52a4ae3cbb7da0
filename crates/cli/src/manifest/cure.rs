//! How to write a value that does not fit its type.

use kindsmith::Wanted;
use kindsmith_formats::nearest::nearest_of;
use kindsmith_json::Value;

/// What to do about a value.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cure {
    pub(super) help: String,
    /// What to write instead of the value, if that is all there is to do.
    pub(super) replacement: Option<String>,
}

impl From<&str> for Cure {
    fn from(help: &str) -> Self {
        Self {
            help: help.to_owned(),
            replacement: None,
        }
    }
}

/// The cure for a value that a decoder rejects, if the author's intention is clear. `written` is the value as it is in the
/// file: `no`, `1.10` and `0xff` are read as other values than their text.
pub(super) fn cure(value: Value<'_>, written: &str, wanted: &Wanted) -> Option<Cure> {
    let expected = match wanted {
        Wanted::GoType(name) => name.as_str(),
        Wanted::Quantity => {
            return Some("a quantity is a number with a unit or without: 2, 500m, 1Gi".into());
        }
        Wanted::Time => return Some("a time is written as 2030-01-31T12:00:00Z".into()),
        Wanted::Duration => return Some("a duration is written as 90s or 1h30m".into()),
        Wanted::Base64 => {
            return Some("encode it with base64; a Secret takes plain text in stringData".into());
        }
        _ => return None,
    };
    match (value, expected) {
        (Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::Float(_), "string") => {
            let quoted = format!("\"{}\"", written.trim());
            Some(Cure {
                help: format!("write it in quotes: {quoted}"),
                replacement: Some(quoted).filter(|_| is_plain(written)),
            })
        }
        (Value::Str(text), "bool") if matches!(text, "true" | "false") => Some(unquoted(text)),
        (Value::Str(text), number) if is_number(number) && text.parse::<i64>().is_ok() => {
            Some(unquoted(text))
        }
        (Value::Array(_), list) if list.starts_with("[]") => None,
        (_, list) if list.starts_with("[]") => Some("a list is expected: begin each item with `- `".into()),
        (Value::Array([_]), _) => Some("no list is expected: write it without `- `".into()),
        _ => None,
    }
}

fn unquoted(text: &str) -> Cure {
    Cure {
        help: format!("write it without quotes: {text}"),
        replacement: Some(text.to_owned()),
    }
}

/// Whether a value is written as a plain word on one line: without tags, anchors, quotes and comments.
fn is_plain(written: &str) -> bool {
    let is_plain =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+' | '_' | '~' | ':' | '/');
    !written.trim().is_empty() && written.trim().chars().all(is_plain)
}

/// How a word is written in place of another one: in the same quotes.
pub(super) fn in_place_of(written: &str, word: &str) -> Option<String> {
    match written.chars().next()? {
        quote @ ('"' | '\'') => Some(format!("{quote}{word}{quote}")),
        _ if is_plain(written) && is_plain(word) && word.starts_with(|c: char| c.is_ascii_alphabetic()) => {
            Some(word.to_owned())
        }
        _ => None,
    }
}

/// What an author meant by a word that is not among those allowed, and whether that is certain: only the case differs.
pub(super) fn meant<'w>(
    word: &str,
    allowed: impl Iterator<Item = &'w str> + Clone,
) -> Option<(&'w str, bool)> {
    let mut same = allowed.clone().filter(|other| other.eq_ignore_ascii_case(word));
    match (same.next(), same.next()) {
        (Some(only), None) => Some((only, true)),
        _ => nearest_of(word, allowed).map(|near| (near, false)),
    }
}

fn is_number(go_type: &str) -> bool {
    ["int", "uint", "float"]
        .iter()
        .any(|start| go_type.starts_with(start))
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str};

    use super::{Wanted, cure};

    #[test]
    fn cures_follow_from_the_value_and_the_expected_type() {
        let arena = Arena::new();
        let of_type = |name: &str| Wanted::GoType(name.to_owned());
        for (value, wanted, expected) in [
            ("1", of_type("string"), "write it in quotes: \"1\""),
            ("true", of_type("string"), "write it in quotes: \"true\""),
            ("1.10", of_type("string"), "write it in quotes: \"1.10\""),
            (r#""80""#, of_type("int32"), "write it without quotes: 80"),
            (r#""true""#, of_type("bool"), "write it without quotes: true"),
            (r#""yes""#, of_type("bool"), ""),
            (r#""two""#, of_type("int32"), ""),
            (
                "{}",
                of_type("[]v1.Container"),
                "a list is expected: begin each item with `- `",
            ),
            (
                "[{}]",
                of_type("v1.PodSpec"),
                "no list is expected: write it without `- `",
            ),
            (
                r#""abc""#,
                Wanted::Quantity,
                "a quantity is a number with a unit or without: 2, 500m, 1Gi",
            ),
        ] {
            let parsed = parse_str(&arena, value).expect("it is JSON");
            assert_eq!(
                cure(parsed, value, &wanted).map_or_else(String::new, |cure| cure.help),
                expected,
                "{wanted:?}"
            );
        }
    }
}
