//! The order of keys in written YAML. Knows nothing else about YAML.

use std::cmp::Ordering;

use crate::Entry;

/// Sorts entries by key.
///
/// The order is not transitive: `10` < `1a` < `9` < `10`. Upstream's result is then arbitrary; ours depends
/// only on the keys. The sorts of the standard library may panic on such an order, so this is a merge sort of
/// our own.
pub(super) fn sort(entries: &mut [Entry<'_>]) {
    entries.sort_unstable_by_key(|entry| entry.key);
    if entries.iter().all(|entry| is_simple(entry.key)) {
        return;
    }
    let mut width = 1;
    while width < entries.len() {
        let mut merged = Vec::with_capacity(entries.len());
        for pair in entries.chunks(2 * width) {
            let (left, right) = pair.split_at(width.min(pair.len()));
            merge(left, right, &mut merged);
        }
        entries.copy_from_slice(&merged);
        width *= 2;
    }
}

/// Whether a key has only letters and characters with smaller codes than letters: such keys are ordered by
/// their bytes.
fn is_simple(key: &str) -> bool {
    let is_simple = |byte: u8| byte.is_ascii_alphabetic() || byte < b'0';
    key.bytes().all(is_simple)
}

fn merge<'a>(mut left: &[Entry<'a>], mut right: &[Entry<'a>], merged: &mut Vec<Entry<'a>>) {
    while let ([one, ..], [other, ..]) = (left, right) {
        if compare(one.key, other.key) == Ordering::Greater {
            merged.push(*other);
            right = &right[1..];
        } else {
            merged.push(*one);
            left = &left[1..];
        }
    }
    merged.extend_from_slice(left);
    merged.extend_from_slice(right);
}

/// Compares keys at the first difference: letters by code, anything else before letters, and numbers by
/// value, so `a2` comes before `a10`. Text counts as less than a number.
fn compare(left: &str, right: &str) -> Ordering {
    let shared = shared_len(left, right);
    let (Some(one), Some(other)) = (left[shared..].chars().next(), right[shared..].chars().next()) else {
        return left.len().cmp(&right.len());
    };
    match (one.is_alphabetic(), other.is_alphabetic()) {
        (true, true) => one.cmp(&other),
        (true, false) => Ordering::Greater,
        (false, true) => Ordering::Less,
        (false, false) => {
            let start = left[..shared]
                .trim_end_matches(|last: char| last.is_ascii_digit())
                .len();
            let (one_number, other_number) = (digits(&left[start..]), digits(&right[start..]));
            by_worth(one_number, other_number)
                .then(one_number.len().cmp(&other_number.len()))
                .then(one.cmp(&other))
        }
    }
}

/// The length of the common prefix, in whole characters.
fn shared_len(left: &str, right: &str) -> usize {
    let pairs = left.chars().zip(right.chars());
    pairs
        .take_while(|(one, other)| one == other)
        .map(|(one, _)| one.len_utf8())
        .sum()
}

/// The leading digits of a text.
fn digits(text: &str) -> &str {
    let end = text
        .find(|character: char| !character.is_ascii_digit())
        .unwrap_or(text.len());
    &text[..end]
}

/// Compares numbers of any length.
fn by_worth(left: &str, right: &str) -> Ordering {
    let (left, right) = (left.trim_start_matches('0'), right.trim_start_matches('0'));
    left.len().cmp(&right.len()).then(left.cmp(right))
}
