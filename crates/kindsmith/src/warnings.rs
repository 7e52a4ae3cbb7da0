//! Warnings of the API server, with the field they are about.

use kindsmith_json::path::{PathBuf, Step};

use crate::review::{Warning, WarningReason};

/// Parses a warning; those about fields name them: `unknown field "spec.a[0].b"`.
pub(crate) fn warning(message: String) -> Warning {
    let (reason, rest) = if let Some(rest) = message.strip_prefix("unknown field \"") {
        (WarningReason::UnknownField, rest)
    } else if let Some(rest) = message.strip_prefix("duplicate field \"") {
        (WarningReason::DuplicateField, rest)
    } else {
        (WarningReason::Other, "")
    };
    let path = rest.strip_suffix('"').map(path).unwrap_or_default();
    Warning {
        path,
        message,
        reason,
    }
}

/// Parses a path. Names with dots are split, so the finding is placed at the nearest parent.
fn path(text: &str) -> PathBuf {
    let mut path = PathBuf::default();
    for part in text.split('.') {
        let (name, indices) = part
            .split_once('[')
            .map_or((part, ""), |(name, rest)| (name, rest));
        if !name.is_empty() {
            path.push(Step::Field(name.into()));
        }
        for index in indices.split('[').filter_map(|index| index.strip_suffix(']')) {
            path.push(match index.parse() {
                Ok(index) => Step::Index(index),
                Err(_) => Step::Key(index.into()),
            });
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_placed_at_their_field() {
        for (text, expected) in [
            ("unknown field \"spec.ports[0].nmae\"", "spec.ports[0].nmae"),
            ("duplicate field \"spec\"", "spec"),
            ("something else", "<nil>"),
        ] {
            assert_eq!(warning(text.to_owned()).path.to_string(), expected);
        }
    }
}
