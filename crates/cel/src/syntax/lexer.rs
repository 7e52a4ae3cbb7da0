//! Splits text into tokens by longest match. Bad characters are reported and skipped as ANTLR does.
//!
//! Knows the lexical grammar only. White space and comments stay in the stream: the parser skips them, but error texts
//! quote the input with them.

use super::source::Source;
use super::token::{Kind, Token};

/// Characters that are not part of any token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LexError {
    /// Offset of the first bad code point.
    pub start: u32,
    /// The text quoted in the error.
    pub message: String,
}

/// All tokens of `source`, including white space and comments, and an end-of-input token.
pub(super) fn tokens(source: &Source) -> (Vec<Token>, Vec<LexError>) {
    let chars = source.chars();
    let (mut out, mut errors) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < chars.len() {
        match scan(chars, at) {
            Ok((kind, end)) => {
                out.push(Token {
                    kind,
                    start: at as u32,
                    end: end as u32,
                });
                at = end;
            }
            Err(stop) => {
                // The character that stopped the match is quoted and skipped as well.
                let text = source.slice(at, stop + 1);
                errors.push(LexError {
                    start: at as u32,
                    message: format!("token recognition error at: '{text}'"),
                });
                at = stop + 1;
            }
        }
    }
    let end = chars.len() as u32;
    out.push(Token {
        kind: Kind::Eof,
        start: end,
        end,
    });
    (out, errors)
}

/// The longest token at `at`, or the offset of the character that fits no token.
fn scan(chars: &[char], at: usize) -> Result<(Kind, usize), usize> {
    let first = chars[at];
    let second = chars.get(at + 1).copied();
    let pair = |want: char, long: Kind, short: Option<Kind>| match (second == Some(want), short) {
        (true, _) => Ok((long, at + 2)),
        (false, Some(kind)) => Ok((kind, at + 1)),
        (false, None) => Err(at + 1),
    };
    let one = |kind: Kind| Ok((kind, at + 1));
    match first {
        '=' => pair('=', Kind::Equals, None),
        '!' => pair('=', Kind::NotEquals, Some(Kind::Exclam)),
        '<' => pair('=', Kind::LessEquals, Some(Kind::Less)),
        '>' => pair('=', Kind::GreaterEquals, Some(Kind::Greater)),
        '&' => pair('&', Kind::And, None),
        '|' => pair('|', Kind::Or, None),
        '[' => one(Kind::LBracket),
        ']' => one(Kind::RBracket),
        '{' => one(Kind::LBrace),
        '}' => one(Kind::RBrace),
        '(' => one(Kind::LParen),
        ')' => one(Kind::RParen),
        ',' => one(Kind::Comma),
        '-' => one(Kind::Minus),
        '?' => one(Kind::Question),
        ':' => one(Kind::Colon),
        '+' => one(Kind::Plus),
        '*' => one(Kind::Star),
        '%' => one(Kind::Percent),
        '.' if second.is_some_and(|c| c.is_ascii_digit()) => Ok(number(chars, at)),
        '.' => one(Kind::Dot),
        '/' if second == Some('/') => Ok((Kind::Comment, run(chars, at, |c| c != '\n'))),
        '/' => one(Kind::Slash),
        '0'..='9' => Ok(number(chars, at)),
        '"' | '\'' => string(chars, at, Kind::String),
        '`' => escaped_ident(chars, at),
        '\t' | ' ' | '\r' | '\n' | '\u{c}' => Ok((Kind::Whitespace, run(chars, at, is_space))),
        'a'..='z' | 'A'..='Z' | '_' => Ok(word(chars, at)),
        _ => Err(at),
    }
}

fn is_space(c: char) -> bool {
    matches!(c, '\t' | ' ' | '\r' | '\n' | '\u{c}')
}

fn run(chars: &[char], at: usize, keep: impl Fn(char) -> bool) -> usize {
    chars[at..]
        .iter()
        .position(|c| !keep(*c))
        .map_or(chars.len(), |n| at + n)
}

/// An identifier, a keyword, or a string or bytes literal with a prefix, whichever is longer.
fn word(chars: &[char], at: usize) -> (Kind, usize) {
    if let Some(token) = prefixed_string(chars, at) {
        return token;
    }
    let end = run(chars, at, |c| c.is_ascii_alphanumeric() || c == '_');
    let kind = match chars[at..end].iter().collect::<String>().as_str() {
        "in" => Kind::In,
        "true" => Kind::True,
        "false" => Kind::False,
        "null" => Kind::Null,
        _ => Kind::Ident,
    };
    (kind, end)
}

fn prefixed_string(chars: &[char], at: usize) -> Option<(Kind, usize)> {
    let bytes = matches!(chars[at], 'b' | 'B');
    let kind = if bytes { Kind::Bytes } else { Kind::String };
    let after = at + usize::from(bytes);
    let raw = matches!(chars.get(after), Some('r' | 'R'));
    let open = after + usize::from(raw);
    if open == at || !matches!(chars.get(open), Some('"' | '\'')) {
        return None;
    }
    quoted(chars, open, raw).ok().map(|end| (kind, end))
}

fn string(chars: &[char], at: usize, kind: Kind) -> Result<(Kind, usize), usize> {
    quoted(chars, at, false).map(|end| (kind, end))
}

/// The end of the literal whose quote is at `open`: the form with three quotes if it is closed, otherwise the short form.
fn quoted(chars: &[char], open: usize, raw: bool) -> Result<usize, usize> {
    let quote = chars[open];
    let triple = chars.get(open + 1) == Some(&quote) && chars.get(open + 2) == Some(&quote);
    if triple && let Ok(end) = body(chars, open + 3, raw, true, quote) {
        return Ok(end);
    }
    body(chars, open + 1, raw, false, quote)
}

fn body(chars: &[char], from: usize, raw: bool, triple: bool, quote: char) -> Result<usize, usize> {
    let mut at = from;
    while let Some(&c) = chars.get(at) {
        if c == quote {
            if !triple {
                return Ok(at + 1);
            }
            if chars.get(at + 1) == Some(&quote) && chars.get(at + 2) == Some(&quote) {
                return Ok(at + 3);
            }
            at += 1;
        } else if c == '\\' && !raw {
            at = escape(chars, at)?;
        } else if !triple && (c == '\n' || c == '\r') {
            return Err(at);
        } else {
            at += 1;
        }
    }
    Err(chars.len())
}

/// The end of the escape sequence at `at`, or where it went wrong.
fn escape(chars: &[char], at: usize) -> Result<usize, usize> {
    let (digits, valid): (usize, fn(char) -> bool) = match chars.get(at + 1) {
        Some('a' | 'b' | 'f' | 'n' | 'r' | 't' | 'v' | '"' | '\'' | '\\' | '?' | '`') => return Ok(at + 2),
        Some('x' | 'X') => (2, |c| c.is_ascii_hexdigit()),
        Some('u') => (4, |c| c.is_ascii_hexdigit()),
        Some('U') => (8, |c| c.is_ascii_hexdigit()),
        Some('0'..='3') => (2, |c| ('0'..='7').contains(&c)),
        _ => return Err(at + 1),
    };
    for n in 0..digits {
        if !chars.get(at + 2 + n).is_some_and(|c| valid(*c)) {
            return Err(at + 2 + n);
        }
    }
    Ok(at + 2 + digits)
}

fn escaped_ident(chars: &[char], at: usize) -> Result<(Kind, usize), usize> {
    let end = run(chars, at + 1, |c| {
        c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '/' | ' ')
    });
    if end > at + 1 && chars.get(end) == Some(&'`') {
        Ok((Kind::EscIdent, end + 1))
    } else {
        Err(end)
    }
}

fn number(chars: &[char], at: usize) -> (Kind, usize) {
    let suffix = |end: usize| match chars.get(end) {
        Some('u' | 'U') => (Kind::Uint, end + 1),
        _ => (Kind::Int, end),
    };
    if chars[at] == '0' && chars.get(at + 1) == Some(&'x') {
        let end = run(chars, at + 2, |c| c.is_ascii_hexdigit());
        if end > at + 2 {
            return suffix(end);
        }
    }
    let whole = run(chars, at, |c| c.is_ascii_digit());
    let mut end = whole;
    if chars.get(whole) == Some(&'.') {
        let fraction = run(chars, whole + 1, |c| c.is_ascii_digit());
        if fraction > whole + 1 {
            end = fraction;
        }
    }
    if let Some(exponent) = exponent(chars, end) {
        return (Kind::Float, exponent);
    }
    if end > whole {
        (Kind::Float, end)
    } else {
        suffix(whole)
    }
}

fn exponent(chars: &[char], at: usize) -> Option<usize> {
    if !matches!(chars.get(at), Some('e' | 'E')) {
        return None;
    }
    let digits = at + 1 + usize::from(matches!(chars.get(at + 1), Some('+' | '-')));
    let end = if digits <= chars.len() {
        run(chars, digits, |c| c.is_ascii_digit())
    } else {
        digits
    };
    (end > digits).then_some(end)
}
