//! How to write a value that does not fit its type.

use kindsmith_json::Value;

/// Texts that the server's decoders begin with, and what they want to read.
const FORMS: &[(&str, &str)] = &[
    (
        "quantities must match",
        "a quantity is a number with a unit or without: 2, 500m, 1Gi",
    ),
    (
        "unable to parse quantity",
        "a quantity is a number with a unit or without: 2, 500m, 1Gi",
    ),
    ("parsing time", "a time is written as 2030-01-31T12:00:00Z"),
    ("time: ", "a duration is written as 90s or 1h30m"),
    (
        "illegal base64 data",
        "encode it with base64; a Secret takes plain text in stringData",
    ),
];

/// The cure for a value that a decoder rejects, if the author's intention is clear. `written` is the value as it is in the
/// file: `no`, `1.10` and `0xff` are read as other values than their text.
pub(super) fn cure(value: Value<'_>, written: &str, message: &str) -> Option<String> {
    // The server puts the kind in front.
    let error = match message.split_once("cannot be handled as a ") {
        Some((_, rest)) => rest.split_once(": ").map_or(rest, |(_, error)| error),
        None => message,
    };
    if let Some((_, form)) = FORMS.iter().find(|(start, _)| error.starts_with(start)) {
        return Some((*form).to_owned());
    }
    let (_, expected) = error.rsplit_once(" of type ")?;
    match (value, expected) {
        (Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::Float(_), "string") => {
            Some(format!("write it in quotes: \"{}\"", written.trim()))
        }
        (Value::Str(text), "bool") if matches!(text, "true" | "false") => Some(unquoted(text)),
        (Value::Str(text), number) if is_number(number) && text.parse::<i64>().is_ok() => {
            Some(unquoted(text))
        }
        (Value::Array(_), list) if list.starts_with("[]") => None,
        (_, list) if list.starts_with("[]") => {
            Some("a list is expected: begin each item with `- `".to_owned())
        }
        (Value::Array([_]), _) => Some("no list is expected: write it without `- `".to_owned()),
        _ => None,
    }
}

fn unquoted(text: &str) -> String {
    format!("write it without quotes: {text}")
}

fn is_number(go_type: &str) -> bool {
    ["int", "uint", "float"]
        .iter()
        .any(|start| go_type.starts_with(start))
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str};

    use super::cure;

    #[test]
    fn cures_follow_from_the_value_and_the_expected_type() {
        let arena = Arena::new();
        let of_type = |ty: &str| {
            format!(
                "Pod in version \"v1\" cannot be handled as a Pod: json: cannot unmarshal x into Go struct field A.b of type {ty}"
            )
        };
        for (value, message, expected) in [
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
                "quantities must match the regular expression".to_owned(),
                "a quantity is a number with a unit or without: 2, 500m, 1Gi",
            ),
        ] {
            let parsed = parse_str(&arena, value).expect("it is JSON");
            assert_eq!(
                cure(parsed, value, &message).unwrap_or_default(),
                expected,
                "{message}"
            );
        }
    }
}
