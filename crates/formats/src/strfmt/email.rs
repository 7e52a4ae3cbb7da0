//! `email`: what Go's `mail.ParseAddress` accepts, which is RFC 5322 with names, comments and groups.

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
    let mut reader = Reader { rest: value };
    reader.address(true) == Some(1) && reader.skip_comments().is_some() && reader.rest.is_empty()
}

struct Reader<'t> {
    rest: &'t str,
}

/// Each method returns `None` where Go reports an error.
impl<'t> Reader<'t> {
    /// Reads an address or a group and returns how many addresses it held.
    fn address(&mut self, groups: bool) -> Option<usize> {
        self.skip_space();
        if self.rest.is_empty() {
            return None;
        }
        let start = self.rest;
        if self.spec().is_some() {
            self.skip_space();
            if self.rest.starts_with('(') {
                self.name_comment()?;
            }
            return Some(1);
        }
        self.rest = start;
        if !self.rest.starts_with('<') {
            self.phrase()?;
        }
        self.skip_space();
        if groups && self.take(':') {
            return self.group();
        }
        (self.take('<') && self.spec().is_some() && self.take('>')).then_some(1)
    }

    fn group(&mut self) -> Option<usize> {
        let mut count = 0;
        self.skip_space();
        if self.take(';') {
            return self.skip_comments().map(|()| 0);
        }
        loop {
            count += self.address(false)?;
            self.skip_comments()?;
            if self.take(';') {
                return self.skip_comments().map(|()| count);
            }
            if !self.take(',') {
                return None;
            }
        }
    }

    /// `local@domain`
    fn spec(&mut self) -> Option<()> {
        self.skip_space();
        if self.rest.starts_with('"') {
            self.quoted().filter(|length| *length > 0)?;
        } else {
            self.strict_atom()?;
        }
        if !self.take('@') {
            return None;
        }
        self.skip_space();
        if self.take('[') {
            let (literal, rest) = self.rest.split_once(']')?;
            self.rest = rest;
            // What is no address holds no other character that would be refused here.
            return Addr::parse(literal)
                .ok()
                .filter(|addr| addr.zone().is_empty())
                .map(|_| ());
        }
        self.strict_atom()
    }

    fn strict_atom(&mut self) -> Option<()> {
        let atom = self.atom()?;
        let dots = atom.starts_with('.') || atom.ends_with('.') || atom.contains("..");
        (!dots).then_some(())
    }

    fn atom(&mut self) -> Option<&'t str> {
        let end = self
            .rest
            .find(|c| !is_atom_character(c))
            .unwrap_or(self.rest.len());
        let (atom, rest) = self.rest.split_at(end);
        if atom.is_empty() {
            return None;
        }
        self.rest = rest;
        Some(atom)
    }

    /// Reads a quoted string and returns how many characters it holds.
    fn quoted(&mut self) -> Option<usize> {
        let mut count = 0;
        let mut escaped = false;
        for (index, c) in self.rest.char_indices().skip(1) {
            match c {
                _ if !is_visible(c) && c != ' ' && c != '\t' => return None,
                '"' if !escaped => {
                    self.rest = &self.rest[index + 1..];
                    return Some(count);
                }
                '\\' if !escaped => escaped = true,
                _ => {
                    escaped = false;
                    count += 1;
                }
            }
        }
        None
    }

    /// Reads the words before an angle bracket; a broken word ends them, and is an error only if it is the first.
    fn phrase(&mut self) -> Option<()> {
        let (mut words, mut encoded_text) = (0, false);
        loop {
            if words > 0 {
                self.skip_comments()?;
            }
            self.skip_space();
            if self.rest.is_empty() {
                return Some(());
            }
            let word = if self.rest.starts_with('"') {
                self.quoted().map(|_| EncodedWord::No)
            } else {
                self.atom().map(encoded_word)
            };
            match word {
                Some(EncodedWord::Decoded { empty }) => encoded_text |= !empty,
                Some(EncodedWord::No) => {
                    words += 1 + usize::from(encoded_text);
                    encoded_text = false;
                }
                None | Some(EncodedWord::UnknownCharset) => {
                    return (words > 0 || encoded_text).then_some(());
                }
            }
        }
    }

    /// A comment after an address stands for its name.
    fn name_comment(&mut self) -> Option<()> {
        self.rest = &self.rest[1..];
        let comment = self.comment()?;
        let mut words = comment.split([' ', '\t']);
        (!words.any(|word| matches!(encoded_word(word), EncodedWord::UnknownCharset))).then_some(())
    }

    /// Reads to the parenthesis that closes the comment and returns its text without escapes.
    fn comment(&mut self) -> Option<String> {
        let mut depth = 1;
        let mut text = String::new();
        let mut chars = self.rest.chars();
        while let Some(c) = chars.next() {
            let mut shown = c;
            match c {
                '\\' => shown = chars.next().unwrap_or('\\'),
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.rest = chars.as_str();
                return Some(text);
            }
            text.push(shown);
        }
        None
    }

    fn skip_comments(&mut self) -> Option<()> {
        self.skip_space();
        while self.take('(') {
            self.comment()?;
            self.skip_space();
        }
        Some(())
    }

    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
    }

    fn take(&mut self, c: char) -> bool {
        self.rest
            .strip_prefix(c)
            .inspect(|rest| self.rest = rest)
            .is_some()
    }
}

fn is_visible(c: char) -> bool {
    ('!'..='~').contains(&c) || !c.is_ascii()
}

fn is_atom_character(c: char) -> bool {
    is_visible(c) && !"()<>[]:;@\\,\"".contains(c)
}

/// What a word is under RFC 2047 (`=?charset?encoding?text?=`).
enum EncodedWord {
    /// An ordinary word, or a broken encoded one.
    No,
    /// Encoded in a character set Go knows.
    Decoded { empty: bool },
    /// Encoded in a character set Go does not know, which makes the address invalid.
    UnknownCharset,
}

fn encoded_word(word: &str) -> EncodedWord {
    let inner = word.strip_prefix("=?").and_then(|rest| rest.strip_suffix("?="));
    let parts = inner
        .filter(|inner| inner.matches('?').count() == 2)
        .and_then(|inner| {
            let (charset, rest) = inner.split_once('?')?;
            let (encoding, text) = rest.split_once('?')?;
            Some((charset, encoding, text))
        });
    let Some((charset, encoding, text)) = parts.filter(|(charset, ..)| !charset.is_empty()) else {
        return EncodedWord::No;
    };
    let decodes = match encoding {
        "B" | "b" => base64::check(text.as_bytes()).is_ok(),
        "Q" | "q" => is_quoted_printable(text.as_bytes()),
        _ => false,
    };
    let known = ["utf-8", "iso-8859-1", "us-ascii"]
        .iter()
        .any(|name| name.eq_ignore_ascii_case(charset));
    match (decodes, known) {
        (false, _) => EncodedWord::No,
        (true, true) => EncodedWord::Decoded {
            empty: text.is_empty(),
        },
        (true, false) => EncodedWord::UnknownCharset,
    }
}

fn is_quoted_printable(mut text: &[u8]) -> bool {
    loop {
        text = match text {
            [] => return true,
            [b'=', high, low, rest @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => rest,
            [b'=', ..] => return false,
            [b' '..=b'~' | b'\n' | b'\r' | b'\t', rest @ ..] => rest,
            _ => return false,
        };
    }
}
