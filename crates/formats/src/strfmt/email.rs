//! `email`: what Go's `mail.ParseAddress` accepts, which is RFC 5322 with names, comments and groups of one address.
//!
//! ```text
//! text    = (mailbox | phrase ":" mailbox comments ";") comments
//! mailbox = address [comment] | [phrase] "<" address ">"
//! address = (quoted | dotted) "@" (dotted | "[" ip "]")
//! phrase  = (quoted | atom)+
//! ```
//!
//! Each rule is a function that returns the text after what it read, or `None` where Go reports an error. Alternatives
//! differ after the first word at the latest, so the text is read a few times at most.

use super::{Format, string};
use kindsmith_gostd::base64;
use kindsmith_gostd::ip::Addr;

pub(super) const FORMAT: Format = string(
    "email",
    "A mail address, with or without a name before it in angle brackets.",
    "jane@example.com",
    check,
);

fn check(value: &str) -> bool {
    mailbox(value).or_else(|| group(value)).and_then(comments) == Some("")
}

/// A group with exactly one address in it.
fn group(text: &str) -> Option<&str> {
    let members = space(phrase(text)?).strip_prefix(':')?;
    comments(mailbox(members)?)?.strip_prefix(';')
}

fn mailbox(text: &str) -> Option<&str> {
    if let Some(rest) = address(text) {
        return name_in_comment(space(rest));
    }
    let text = space(text);
    let bracket = if text.starts_with('<') {
        text
    } else {
        space(phrase(text)?)
    };
    address(bracket.strip_prefix('<')?)?.strip_prefix('>')
}

/// Reads the comment after an address, if there is one. It names the owner, so all its words must be readable.
fn name_in_comment(text: &str) -> Option<&str> {
    let Some(inside) = text.strip_prefix('(') else {
        return Some(text);
    };
    let (name, rest) = comment(inside)?;
    let is_readable = |word| !matches!(encoded_word(word), Encoded::UnknownCharset);
    name.split([' ', '\t']).all(is_readable).then_some(rest)
}

/// Reads `local@domain`.
fn address(text: &str) -> Option<&str> {
    let text = space(text);
    let rest = match quoted(text) {
        Some((content, rest)) => (!content.is_empty()).then_some(rest)?,
        None => dotted(text)?,
    };
    let domain = space(rest.strip_prefix('@')?);
    let Some(literal) = domain.strip_prefix('[') else {
        return dotted(domain);
    };
    let (ip, rest) = literal.split_once(']')?;
    let has_no_zone = Addr::parse(ip).ok()?.zone().is_empty();
    has_no_zone.then_some(rest)
}

/// Reads an atom in which dots stand only between other characters.
fn dotted(text: &str) -> Option<&str> {
    let (atom, rest) = atom(text)?;
    let is_dotted = atom.split('.').all(|part| !part.is_empty());
    is_dotted.then_some(rest)
}

fn atom(text: &str) -> Option<(&str, &str)> {
    let ends = |c| !is_visible(c) || "()<>[]:;@\\,\"".contains(c);
    let atom = text.split(ends).next().filter(|atom| !atom.is_empty())?;
    Some((atom, &text[atom.len()..]))
}

/// Reads a quoted string; its content comes with the escapes.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('"')?;
    let mut chars = inside.chars();
    loop {
        let before = chars.as_str();
        let c = match chars.next()? {
            '"' => return Some((&inside[..inside.len() - before.len()], chars.as_str())),
            '\\' => chars.next()?,
            c => c,
        };
        if !is_visible(c) && c != ' ' && c != '\t' {
            return None;
        }
    }
}

/// Reads the words of a name, up to the first that cannot be read; if that is the first of all, the name is not read.
fn phrase(text: &str) -> Option<&str> {
    let mut rest = text;
    let (mut has_plain, mut has_encoded) = (false, false);
    loop {
        if has_plain {
            rest = comments(rest)?;
        }
        rest = space(rest);
        let word = match quoted(rest) {
            Some((_, after)) => Some((Encoded::No, after)),
            None => atom(rest).map(|(atom, after)| (encoded_word(atom), after)),
        };
        rest = word.as_ref().map_or(rest, |(_, after)| after);
        match word {
            Some((Encoded::No, _)) => has_plain = true,
            Some((Encoded::Readable { is_empty }, _)) => has_encoded |= !is_empty,
            Some((Encoded::UnknownCharset, _)) | None => {
                return (has_plain || has_encoded).then_some(rest);
            }
        }
    }
}

/// Skips space and comments.
fn comments(text: &str) -> Option<&str> {
    let mut rest = space(text);
    while let Some(inside) = rest.strip_prefix('(') {
        rest = space(comment(inside)?.1);
    }
    Some(rest)
}

/// Reads to the parenthesis that closes a comment; the comment's text comes without escapes.
fn comment(inside: &str) -> Option<(String, &str)> {
    let mut text = String::new();
    let mut nested = 0;
    let mut chars = inside.chars();
    loop {
        let mut c = chars.next()?;
        match c {
            '\\' => c = chars.next()?,
            '(' => nested += 1,
            ')' if nested == 0 => return Some((text, chars.as_str())),
            ')' => nested -= 1,
            _ => {}
        }
        text.push(c);
    }
}

fn space(text: &str) -> &str {
    text.trim_start_matches([' ', '\t'])
}

fn is_visible(c: char) -> bool {
    c.is_ascii_graphic() || !c.is_ascii()
}

/// What a word is under RFC 2047 (`=?charset?encoding?text?=`).
enum Encoded {
    /// An ordinary word, or a malformed encoded one.
    No,
    /// Encoded in a character set Go knows.
    Readable { is_empty: bool },
    /// Encoded in a character set Go does not know.
    UnknownCharset,
}

fn encoded_word(word: &str) -> Encoded {
    let inside = word.strip_prefix("=?").and_then(|rest| rest.strip_suffix("?="));
    let parts: Vec<&str> = inside.map_or_else(Vec::new, |inside| inside.split('?').collect());
    let &[charset, encoding, text] = &parts[..] else {
        return Encoded::No;
    };
    let decodes = match encoding {
        "B" | "b" => base64::check(text.as_bytes()).is_ok(),
        "Q" | "q" => is_quoted_printable(text),
        _ => false,
    };
    if charset.is_empty() || !decodes {
        return Encoded::No;
    }
    let known = ["utf-8", "iso-8859-1", "us-ascii"];
    if known.iter().any(|name| name.eq_ignore_ascii_case(charset)) {
        let is_empty = text.is_empty();
        Encoded::Readable { is_empty }
    } else {
        Encoded::UnknownCharset
    }
}

/// Reports whether every `=` is followed by two hexadecimal digits and all else is printable ASCII.
fn is_quoted_printable(text: &str) -> bool {
    let is_plain = |text: &[u8]| {
        text.iter()
            .all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t'))
    };
    let mut parts = text.as_bytes().split(|byte| *byte == b'=');
    parts.next().is_some_and(is_plain)
        && parts.all(|part| {
            let (code, rest) = part.split_at(part.len().min(2));
            code.len() == 2 && code.iter().all(u8::is_ascii_hexdigit) && is_plain(rest)
        })
}
