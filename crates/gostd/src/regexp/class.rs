//! Bracketed classes: `[a-z]`, `[^[:space:]]`, `[\d\pL]`.

use super::error::{Error, ErrorCode};
use super::escape::{self, Read, next_char, until};
use super::set::RuneSet;

/// Reads a class; `text` starts with the bracket.
pub(super) fn bracketed(text: &str, fold: bool) -> Read<'_, RuneSet> {
    let after = &text[1..];
    let (negated, mut rest) = after
        .strip_prefix('^')
        .map_or((false, after), |rest| (true, rest));
    let mut set = RuneSet::default();
    let mut first = true;
    // A closing bracket at the start is an ordinary character.
    while first || !rest.starts_with(']') {
        first = false;
        if let Some((named, after)) = posix(rest, fold)? {
            set.add_set(&named);
            rest = after;
        } else if let Some((escaped, after)) = escape::class(rest, fold)? {
            set.add_set(&escaped);
            rest = after;
        } else {
            rest = range(rest, text, fold, &mut set)?;
        }
    }
    let set = if negated { set.negated() } else { set.normalized() };
    Ok((set, &rest[1..]))
}

/// Reads one character or a range of them.
fn range<'t>(text: &'t str, class: &str, fold: bool, set: &mut RuneSet) -> Result<&'t str, Error> {
    let (lo, mut rest) = member(text, class)?;
    let mut hi = lo;
    // A dash before the closing bracket is an ordinary character.
    if rest.len() >= 2 && rest.starts_with('-') && !rest.starts_with("-]") {
        (hi, rest) = member(&rest[1..], class)?;
        if hi < lo {
            return Err(ErrorCode::InvalidCharRange.at(until(text, rest)));
        }
    }
    if fold {
        set.add_folded(lo, hi);
    } else {
        set.add(lo, hi);
    }
    Ok(rest)
}

fn member<'t>(text: &'t str, class: &str) -> Read<'t, u32> {
    match next_char(text) {
        None => Err(ErrorCode::MissingBracket.at(class)),
        Some(('\\', _)) => escape::character(text),
        Some((c, rest)) => Ok((u32::from(c), rest)),
    }
}

/// Reads a POSIX name such as `[:alnum:]`, if there is one.
fn posix(text: &str, fold: bool) -> Result<Option<(RuneSet, &str)>, Error> {
    if !text.starts_with("[:") {
        return Ok(None);
    }
    let Some(end) = text[2..].find(":]").map(|end| end + 2) else {
        return Ok(None);
    };
    let (name, rest) = (&text[2..end], &text[end + 2..]);
    let (negated, name) = name.strip_prefix('^').map_or((false, name), |name| (true, name));
    let pairs: &[u32] = match name {
        "alnum" => &[0x30, 0x39, 0x41, 0x5a, 0x61, 0x7a],
        "alpha" => &[0x41, 0x5a, 0x61, 0x7a],
        "ascii" => &[0x00, 0x7f],
        "blank" => &[0x09, 0x09, 0x20, 0x20],
        "cntrl" => &[0x00, 0x1f, 0x7f, 0x7f],
        "digit" => &[0x30, 0x39],
        "graph" => &[0x21, 0x7e],
        "lower" => &[0x61, 0x7a],
        "print" => &[0x20, 0x7e],
        "punct" => &[0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e],
        "space" => &[0x09, 0x0d, 0x20, 0x20],
        "upper" => &[0x41, 0x5a],
        "word" => &[0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a],
        "xdigit" => &[0x30, 0x39, 0x41, 0x46, 0x61, 0x66],
        _ => return Err(ErrorCode::InvalidCharRange.at(until(text, rest))),
    };
    Ok(Some((
        escape::group(RuneSet::from_pairs(pairs), negated, fold),
        rest,
    )))
}
