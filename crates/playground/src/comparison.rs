//! What the server changed: the object as sent beside the object as stored.

use kindsmith_json::path::{PathBuf, Step};
use kindsmith_json::{Value, to_string};

use crate::response::ChangeKind;

/// One difference.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) path: PathBuf,
    pub(crate) kind: ChangeKind,
    /// The stored value as JSON; empty if it was removed.
    pub(crate) value: String,
}

/// All differences, in the order of the stored object, removals last.
pub(crate) fn compare(sent: Value<'_>, stored: Value<'_>, pruned: &[PathBuf]) -> Vec<Difference> {
    let mut found = Vec::new();
    below(sent, stored, &mut PathBuf::default(), pruned, &mut found);
    found
}

fn below(
    sent: Value<'_>,
    stored: Value<'_>,
    path: &mut PathBuf,
    pruned: &[PathBuf],
    found: &mut Vec<Difference>,
) {
    match (sent, stored) {
        (Value::Object(sent), Value::Object(stored)) => {
            for (key, value) in stored {
                path.push(Step::Field(key.into()));
                match sent.get(key) {
                    Some(before) => below(before, value, path, pruned, found),
                    None => found.push(Difference {
                        path: path.clone(),
                        kind: ChangeKind::Defaulted,
                        value: to_string(value),
                    }),
                }
                path.pop();
            }
            for (key, before) in sent.iter().filter(|(key, _)| stored.get(key).is_none()) {
                path.push(Step::Field(key.into()));
                let is_pruned = pruned.iter().any(|pruned| pruned.to_string() == path.to_string());
                found.push(Difference {
                    path: path.clone(),
                    kind: match before {
                        _ if is_pruned => ChangeKind::Pruned,
                        Value::Null => ChangeKind::Dropped,
                        _ => ChangeKind::Cleared,
                    },
                    value: String::new(),
                });
                path.pop();
            }
        }
        (Value::Array(sent), Value::Array(stored)) if sent.len() == stored.len() => {
            for (index, (before, value)) in sent.iter().zip(stored).enumerate() {
                path.push(Step::Index(index));
                below(*before, *value, path, pruned, found);
                path.pop();
            }
        }
        _ if to_string(sent) == to_string(stored) => {}
        // A null that a default replaced was as good as absent.
        (before, value) => found.push(Difference {
            path: path.clone(),
            kind: if before.is_null() {
                ChangeKind::Defaulted
            } else {
                ChangeKind::Coerced
            },
            value: to_string(value),
        }),
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str};

    use super::compare;

    #[track_caller]
    fn check(sent: &str, stored: &str, expected: &[&str]) {
        let arena = Arena::new();
        let read = |text| parse_str(&arena, text).expect("it is JSON");
        let found = compare(read(sent), read(stored), &[]);
        let found: Vec<String> = found
            .iter()
            .map(|found| format!("{:?} {} {}", found.kind, found.path, found.value))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn each_difference_has_its_kind() {
        check("{}", r#"{"a":1}"#, &["Defaulted a 1"]);
        check(r#"{"a":null}"#, r#"{"a":1}"#, &["Defaulted a 1"]);
        check(r#"{"a":null}"#, "{}", &["Dropped a "]);
        check(r#"{"a":1}"#, "{}", &["Cleared a "]);
        check(
            r#"{"a":[{"b":"1"}]}"#,
            r#"{"a":[{"b":"01"}]}"#,
            &["Coerced a[0].b \"01\""],
        );
        check(r#"{"a":[1]}"#, r#"{"a":[1]}"#, &[]);
    }
}
