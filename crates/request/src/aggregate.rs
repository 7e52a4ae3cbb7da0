//! Several errors as one text (`utilerrors.Aggregate`).

use std::collections::HashSet;

/// A single error as it is, several in brackets, duplicates once.
#[must_use]
pub fn aggregate(texts: impl IntoIterator<Item = String>) -> String {
    let mut seen = HashSet::new();
    let mut distinct: Vec<String> = Vec::new();
    for text in texts {
        if seen.insert(text.clone()) {
            distinct.push(text);
        }
    }
    match distinct.len() {
        1 => distinct.remove(0),
        _ => format!("[{}]", distinct.join(", ")),
    }
}
