//! Prepares warnings for headers: no duplicates, and a limited total length.

use std::collections::HashSet;

/// The total length of an answer's warnings before they are truncated.
const TOTAL: usize = 4 * 1024;
/// The length of a truncated warning.
const ITEM: usize = 256;

/// The warnings to send, in order (`recorder.AddWarning` in apiserver's pkg/endpoints/filters/warning.go): no
/// duplicates, no control characters; if the total is too long, each is truncated, and those beyond the limit are
/// dropped.
#[must_use]
pub fn sent_warnings(texts: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut given: Vec<String> = Vec::new();
    let (mut sent, mut length, mut is_cutting) = (Vec::new(), 0, false);
    for text in texts {
        if text.is_empty() || (is_cutting && length >= TOTAL) || !seen.insert(text.clone()) {
            continue;
        }
        given.push(text.clone());
        let text = if is_cutting { cut(&text) } else { text };
        if !is_header(&text) {
            continue;
        }
        if !is_cutting && length + count(&text) > TOTAL {
            is_cutting = true;
            sent = given
                .iter()
                .map(|text| cut(text))
                .filter(|text| is_header(text))
                .collect();
            length = sent.iter().map(|text| count(text)).sum();
            continue;
        }
        length += count(&text);
        sent.push(text);
    }
    sent
}

fn cut(text: &str) -> String {
    text.chars().take(ITEM).collect()
}

fn count(text: &str) -> usize {
    text.chars().count()
}

fn is_header(text: &str) -> bool {
    !text.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(texts: &[&str], expected: &[&str]) {
        assert_eq!(sent_warnings(texts.iter().map(|&text| text.to_owned())), expected);
    }

    #[test]
    fn a_warning_is_sent_once_and_in_one_line() {
        check(&["a", "b", "a", "", "c\nd"], &["a", "b"]);
    }

    #[test]
    fn many_long_warnings_are_cut() {
        let long: Vec<String> = (0..30)
            .map(|number| format!("{number:03}{}", "ä".repeat(400)))
            .collect();
        let sent = sent_warnings(long);
        assert_eq!(sent.len(), 16);
        assert!(sent.iter().all(|text| text.chars().count() == ITEM));
    }

    #[test]
    fn a_single_long_warning_is_sent_whole() {
        let long = "x".repeat(4000);
        check(&[&long], &[&long]);
    }
}
