//! Texts as YAML scalars on one line, however long they are.

/// A text in single quotes, or in double quotes if it has line breaks or control characters.
pub(crate) fn quoted(text: &str) -> String {
    let is_plain = !text.is_empty()
        && text
            .chars()
            .all(|one| one.is_alphanumeric() || " _/().-".contains(one))
        && text.starts_with(char::is_alphabetic)
        && !text.ends_with(' ')
        && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(&&*text.to_lowercase());
    if is_plain {
        return text.to_owned();
    }
    if text.chars().any(char::is_control) {
        serde_json::Value::from(text).to_string()
    } else {
        format!("'{}'", text.replace('\'', "''"))
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, Value, yaml};

    use super::*;

    #[test]
    fn texts_are_read_back() {
        for text in [
            "a",
            "a: b",
            "it's",
            "",
            "two\nlines",
            "true",
            "- a",
            "a  ",
            "#",
            "No",
            "12",
            "\u{1b}",
        ] {
            let arena = Arena::new();
            let line = format!("key: {}\n", quoted(text));
            let read = yaml::parse(&arena, line.as_bytes()).expect("it is YAML");
            assert_eq!(read.get("key").and_then(Value::as_str), Some(text), "{line}");
        }
    }
}
