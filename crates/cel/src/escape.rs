//! Property names as CEL identifiers (`apiserver/pkg/cel/escaping.go`).

use std::borrow::Cow;

/// The words that cannot be field names unescaped.
pub const RESERVED: [&str; 21] = [
    "true",
    "false",
    "null",
    "in",
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
];

/// The identifier for a property name, or `None` if the property cannot be named in CEL.
pub fn escape(name: &str) -> Option<String> {
    if name.is_empty() || name.as_bytes()[0].is_ascii_digit() {
        return None;
    }
    if RESERVED.contains(&name) {
        return Some(format!("__{name}__"));
    }
    let mut out = String::with_capacity(name.len());
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '_' if chars.peek() == Some(&'_') => {
                chars.next();
                out.push_str("__underscores__");
            }
            '.' => out.push_str("__dot__"),
            '-' => out.push_str("__dash__"),
            '/' => out.push_str("__slash__"),
            '_' | 'a'..='z' | 'A'..='Z' | '0'..='9' => out.push(c),
            _ => return None,
        }
    }
    Some(out)
}

/// The property name of an identifier, or `None` if it contains a bad escape.
pub fn unescape(escaped: &str) -> Option<Cow<'_, str>> {
    if !escaped.contains("__") {
        return Some(Cow::Borrowed(escaped));
    }
    let mut out = String::with_capacity(escaped.len());
    let mut rest = escaped;
    while let Some(open) = rest.find("__") {
        // An escape is two underscores, some other characters, two underscores; the leftmost match wins.
        let body = &rest[open + 2..];
        let word_end = body.find('_').unwrap_or(body.len());
        if word_end == 0 || !body[word_end..].starts_with("__") {
            let skip = open + 1;
            out.push_str(&rest[..skip]);
            rest = &rest[skip..];
            continue;
        }
        out.push_str(&rest[..open]);
        let word = &body[..word_end];
        match word {
            "underscores" => out.push_str("__"),
            "dot" => out.push('.'),
            "dash" => out.push('-'),
            "slash" => out.push('/'),
            _ if RESERVED.contains(&word) && word.len() + 4 == escaped.len() => out.push_str(word),
            _ => return None,
        }
        rest = &body[word_end + 2..];
    }
    out.push_str(rest);
    Some(Cow::Owned(out))
}
