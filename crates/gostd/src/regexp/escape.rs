//! Escapes: single characters (`\n`, `\x41`, `\.`), Perl classes (`\d`) and Unicode classes (`\p{Greek}`).

use super::error::{Error, ErrorCode};
use super::set::{MAX_RUNE, RuneSet};
use super::unicode;

/// What was read from `text` and what follows it.
pub(super) type Read<'t, T> = Result<(T, &'t str), Error>;

/// Splits off the first character.
pub(super) fn next_char(text: &str) -> Option<(char, &str)> {
    let mut chars = text.chars();
    Some((chars.next()?, chars.as_str()))
}

/// The part of `text` before its suffix `rest`.
pub(super) fn until<'t>(text: &'t str, rest: &str) -> &'t str {
    &text[..text.len() - rest.len()]
}

/// Reads the escape of one character; `text` starts with the backslash.
pub(super) fn character(text: &str) -> Read<'_, u32> {
    let Some((letter, rest)) = next_char(&text[1..]) else {
        return Err(ErrorCode::TrailingBackslash.at(""));
    };
    let simple = match letter {
        '1'..='7' if !rest.starts_with(|c| matches!(c, '0'..='7')) => None,
        '0'..='7' => return Ok(octal(&text[1..])),
        'x' => return hexadecimal(text, rest),
        'a' => Some(0x07),
        'f' => Some(0x0c),
        'n' => Some(0x0a),
        'r' => Some(0x0d),
        't' => Some(0x09),
        'v' => Some(0x0b),
        c if c.is_ascii() && !c.is_ascii_alphanumeric() => Some(u32::from(c)),
        _ => None,
    };
    simple
        .map(|rune| (rune, rest))
        .ok_or_else(|| ErrorCode::InvalidEscape.at(until(text, rest)))
}

/// Up to three octal digits.
fn octal(text: &str) -> (u32, &str) {
    let digits = text
        .bytes()
        .take(3)
        .take_while(|byte| matches!(byte, b'0'..=b'7'))
        .count();
    let value = text[..digits]
        .bytes()
        .fold(0, |value, byte| value * 8 + u32::from(byte - b'0'));
    (value, &text[digits..])
}

/// Two hexadecimal digits, or any number of them in braces; `rest` follows the `x`.
fn hexadecimal<'t>(text: &'t str, rest: &'t str) -> Read<'t, u32> {
    let invalid = |rest: &str| Err(ErrorCode::InvalidEscape.at(until(text, rest)));
    let Some((first, rest)) = next_char(rest) else {
        return invalid(rest);
    };
    if first == '{' {
        return braced(text, rest);
    }
    let (second, rest) = next_char(rest).unwrap_or(('\0', rest));
    match (first.to_digit(16), second.to_digit(16)) {
        (Some(high), Some(low)) => Ok((high * 16 + low, rest)),
        _ => invalid(rest),
    }
}

fn braced<'t>(text: &'t str, mut rest: &'t str) -> Read<'t, u32> {
    let mut value = 0;
    let mut digits = 0;
    while let Some((c, after)) = next_char(rest) {
        rest = after;
        if c == '}' && digits > 0 {
            return Ok((value, rest));
        }
        let Some(digit) = c.to_digit(16) else {
            break;
        };
        value = value * 16 + digit;
        digits += 1;
        if value > MAX_RUNE {
            break;
        }
    }
    Err(ErrorCode::InvalidEscape.at(until(text, rest)))
}

/// Reads a class escape such as `\d`, `\pN` or `\P{Greek}`, if there is one.
pub(super) fn class(text: &str, fold: bool) -> Result<Option<(RuneSet, &str)>, Error> {
    let Some(letter) = text.strip_prefix('\\').and_then(|rest| rest.chars().next()) else {
        return Ok(None);
    };
    if matches!(letter, 'p' | 'P') {
        return unicode_class(text, letter == 'P', fold).map(Some);
    }
    let pairs: &[u32] = match letter.to_ascii_lowercase() {
        'd' => &[0x30, 0x39],
        's' => &[0x09, 0x0a, 0x0c, 0x0d, 0x20, 0x20],
        'w' => &[0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a],
        _ => return Ok(None),
    };
    let set = group(RuneSet::from_pairs(pairs), letter.is_ascii_uppercase(), fold);
    Ok(Some((set, &text[2..])))
}

/// Folds before negating, so that a negated class excludes everything that folds to a member.
pub(super) fn group(set: RuneSet, negated: bool, fold: bool) -> RuneSet {
    let set = if fold { set.folded() } else { set };
    if negated { set.negated() } else { set }
}

fn unicode_class(text: &str, mut negated: bool, fold: bool) -> Read<'_, RuneSet> {
    let after = &text[2..];
    let (mut name, rest) = if after.starts_with('{') {
        let end = text
            .find('}')
            .ok_or_else(|| ErrorCode::InvalidCharRange.at(text))?;
        (&text[3..end], &text[end + 1..])
    } else {
        let rest = next_char(after).map_or("", |(_, rest)| rest);
        (until(after, rest), rest)
    };
    if let Some(positive) = name.strip_prefix('^') {
        negated = !negated;
        name = positive;
    }
    let set = unicode::class(name).ok_or_else(|| ErrorCode::InvalidCharRange.at(until(text, rest)))?;
    Ok((group(set, negated, fold), rest))
}
