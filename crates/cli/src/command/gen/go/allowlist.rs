//! The file with the rules that test tables leave out, as validation-gen reads it (`--test-allowlist`,
//! test_targets.go, `loadAllowlist`).

use std::path::Path;

use kindsmith_emit::go::Exclusion;
use kindsmith_json::{Arena, Value, yaml};

use crate::error::Error;

/// Reads the entries of a file. All members are required, so that nothing is left out by accident.
pub(super) fn read(path: &Path) -> Result<Vec<Exclusion>, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::reading(path, &error))?;
    entries(&text).map_err(|message| Error::input(format!("{}: {message}", path.display())))
}

fn entries(text: &str) -> Result<Vec<Exclusion>, String> {
    let arena = Arena::new();
    let value = yaml::parse(&arena, text.as_bytes()).map_err(|error| error.to_string())?;
    let entries = match value {
        Value::Null => &[][..],
        _ => value.as_array().ok_or("a list of entries is needed")?,
    };
    let exclusions = entries.iter().enumerate().map(|(index, entry)| {
        let member = |name: &str| {
            match entry.get(name).unwrap_or_default() {
                Value::Str(text) if !text.trim().is_empty() => Ok(text.to_owned()),
                Value::Str(_) | Value::Null => Err(format!(
                    "entry {index}: {name} is required (use \"*\" to wildcard)"
                )),
                // YAML reads it as a number or bool, such as `no`.
                _ => Err(format!("entry {index}: {name} is not text; put it in quotes")),
            }
        };
        let exclusion = Exclusion {
            api_version: member("apiVersion")?,
            kind: member("kind")?,
            path: member("path")?,
            error_type: member("errorType")?,
            origin: member("origin")?,
        };
        member("reason").map(|_| exclusion)
    });
    exclusions.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = "- apiVersion: apps/v1\n  kind: '*'\n  path: spec\n  errorType: '*'\n  origin: minimum\n  reason: unreachable\n";

    #[test]
    fn entries_are_read() {
        let read = entries(ENTRY).expect("it is complete");
        assert_eq!(read.len(), 1);
        assert_eq!((&*read[0].kind, &*read[0].origin), ("*", "minimum"));
        assert_eq!(entries(""), Ok(Vec::new()));
    }

    #[test]
    fn entries_are_complete() {
        for (text, expected) in [
            ("a: b", "a list of entries is needed"),
            (
                &*ENTRY.replace("reason: unreachable", "reason: ' '"),
                "entry 0: reason is required (use \"*\" to wildcard)",
            ),
            (
                &*ENTRY.replace("unreachable", "no"),
                "entry 0: reason is not text; put it in quotes",
            ),
            (
                &*ENTRY.replace("apiVersion: apps/v1\n  ", ""),
                "entry 0: apiVersion is required (use \"*\" to wildcard)",
            ),
        ] {
            assert_eq!(entries(text), Err(expected.to_owned()), "{text}");
        }
    }
}
