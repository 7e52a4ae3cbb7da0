//! The order of keys in YAML output: `keyList.Less` in sorter.go of go.yaml.in/yaml/v2, which counts digits as numbers.

use std::cmp::Ordering;

/// Compares two keys: `a2` goes before `a10`, and letters go last.
pub(super) fn compare(left: &str, right: &str) -> Ordering {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let Some(at) = left.iter().zip(&right).position(|(left, right)| left != right) else {
        return left.len().cmp(&right.len());
    };
    let (l, r) = (left[at], right[at]);
    match (l.is_alphabetic(), r.is_alphabetic()) {
        (true, true) => return l.cmp(&r),
        (true, false) => return Ordering::Greater,
        (false, true) => return Ordering::Less,
        (false, false) => {}
    }
    // Zeros count less at the start of a number than inside of one.
    let inside_number = (l == '0' || r == '0')
        && left[..at]
            .iter()
            .rev()
            .take_while(|digit| is_digit(**digit))
            .any(|&digit| digit != '0');
    let (left_number, left_len) = number(&left[at..], inside_number);
    let (right_number, right_len) = number(&right[at..], inside_number);
    left_number
        .cmp(&right_number)
        .then(left_len.cmp(&right_len))
        .then(l.cmp(&r))
}

fn is_digit(character: char) -> bool {
    character.is_ascii_digit()
}

/// The number the text starts with and how many digits it has.
fn number(text: &[char], inside_number: bool) -> (i64, usize) {
    let digits = text.iter().take_while(|digit| is_digit(**digit));
    let start = (i64::from(inside_number), 0);
    digits.fold(start, |(number, len), &digit| {
        let digit = i64::from(digit.to_digit(10).unwrap_or(0));
        (number.wrapping_mul(10).wrapping_add(digit), len + 1)
    })
}
