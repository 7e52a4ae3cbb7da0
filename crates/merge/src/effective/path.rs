//! The text form of field paths: `spec.settings.tier`, `spec.labels["a.b"]`, `spec.flags[name=x].value`,
//! `spec.flags[*]`. Knows no schema: [`listing`](super::listing) checks whether a path matches a field.

use std::fmt;

use kindsmith_json::{Arena, Value, parse_str, to_string};

use crate::MAX_DEPTH;

/// The keys of a list map's item with their values as text, sorted by name.
pub type ItemKeys = Vec<(Box<str>, Box<str>)>;

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// A member of a struct or map.
    Field(Box<str>),
    /// The item of a list map.
    Item(ItemKeys),
    /// All members of a map, or all items of a list map: `[*]`.
    Each,
}

/// A path from the root of the object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct FieldPath(Vec<Step>);

impl FieldPath {
    /// A path of these steps.
    #[must_use]
    pub fn new(steps: Vec<Step>) -> Self {
        FieldPath(steps)
    }

    /// The steps from the root.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// Parses one path.
    ///
    /// # Errors
    /// If it is malformed.
    pub fn parse(text: &str) -> Result<Self, SyntaxError> {
        let mut rest = text;
        let mut steps = Vec::new();
        loop {
            let before = &text[..text.len() - rest.len()];
            let step;
            (step, rest) = if rest.starts_with('[') {
                bracket(rest)?
            } else {
                name(before, rest)?
            };
            steps.push(step);
            if steps.len() > MAX_DEPTH {
                return Err(SyntaxError::TooDeep);
            }
            match rest.as_bytes() {
                [] => return Ok(FieldPath(steps)),
                [b'.', ..] => rest = &rest[1..],
                [b'[', ..] => {}
                _ => return Err(SyntaxError::Unexpected(first(rest))),
            }
            if rest.is_empty() {
                return Err(SyntaxError::NameMissing(text.to_owned()));
            }
        }
    }
}

/// Why a path is malformed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SyntaxError {
    /// A name is missing between or after dots; with the text up to there.
    NameMissing(String),
    /// A character that names cannot have.
    Unexpected(char),
    /// `[` without `]`.
    NeverClosed,
    /// `[3]`.
    Index(String),
    /// `[]` and `[x]`.
    Selector(String),
    /// A quoted text that is not a JSON string.
    Quoted(String),
    /// The same key twice.
    KeyTwice(String),
    /// Too many steps.
    TooDeep,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NameMissing(before) if before.is_empty() => f.write_str("a path starts with `spec.`"),
            Self::NameMissing(before) => write!(f, "a field name is missing after `{before}`"),
            Self::Unexpected(found) => write!(
                f,
                "unexpected {found:?}; write odd map keys as `[\"…\"]` and separate paths with commas"
            ),
            Self::NeverClosed => f.write_str("`[` is never closed"),
            Self::Index(index) => write!(
                f,
                "list items have no fixed position, so `[{index}]` is not supported; write `[key=value]` or `[*]`"
            ),
            Self::Selector(text) => {
                write!(
                    f,
                    "`[{text}]` is not one of `[key=value]`, `[\"map key\"]` and `[*]`"
                )
            }
            Self::Quoted(text) => write!(f, "`{text}` is not a JSON string"),
            Self::KeyTwice(key) => write!(f, "the key `{key}` is given twice"),
            Self::TooDeep => write!(f, "a path has at most {MAX_DEPTH} steps"),
        }
    }
}

impl std::error::Error for SyntaxError {}

/// Splits the list of paths in an annotation: separated by commas outside of brackets and quotes. White space around
/// paths and empty paths are ignored.
#[must_use]
pub fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        // A bracket that is never closed must not swallow the paths after it.
        let end = comma(rest, true)
            .or_else(|| comma(rest, false))
            .unwrap_or(rest.len());
        let part = rest[..end].trim();
        if !part.is_empty() {
            parts.push(part);
        }
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    parts
}

/// The end of the first path; `None` if brackets are respected and one is never closed.
fn comma(text: &str, brackets: bool) -> Option<usize> {
    let (mut open, mut quoted, mut escaped) = (false, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' if open => quoted = !quoted,
            _ if quoted => {}
            b'[' if brackets => open = true,
            b']' => open = false,
            b',' if !open => return Some(at),
            _ => {}
        }
    }
    (!open).then_some(text.len())
}

fn first(text: &str) -> char {
    text.chars().next().unwrap_or_default()
}

fn is_plain(c: char) -> bool {
    !matches!(c, '.' | '[' | ']' | ',' | '"' | '=' | '*') && !c.is_whitespace() && !c.is_control()
}

fn name<'t>(before: &str, text: &'t str) -> Result<(Step, &'t str), SyntaxError> {
    let end = text.find(|c| !is_plain(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    match rest.chars().next() {
        Some(found) if !matches!(found, '.' | '[') => Err(SyntaxError::Unexpected(found)),
        _ if name.is_empty() => Err(SyntaxError::NameMissing(before.to_owned())),
        _ => Ok((Step::Field(name.into()), rest)),
    }
}

/// Parses a step that starts with `[`.
fn bracket(text: &str) -> Result<(Step, &str), SyntaxError> {
    let inner = &text[1..];
    if inner.starts_with('"') {
        let (key, rest) = quoted(inner)?;
        let rest = rest.strip_prefix(']').ok_or(SyntaxError::NeverClosed)?;
        return Ok((Step::Field(key), rest));
    }
    let (selector, _) = inner.split_once(']').ok_or(SyntaxError::NeverClosed)?;
    if selector.trim() == "*" {
        return Ok((Step::Each, &inner[selector.len() + 1..]));
    }
    if selector.trim().parse::<i64>().is_ok() {
        return Err(SyntaxError::Index(selector.trim().to_owned()));
    }
    keys(inner)
}

/// Parses `a=1,b="x y"]`; returns the rest.
fn keys(text: &str) -> Result<(Step, &str), SyntaxError> {
    let mut keys = ItemKeys::new();
    let mut rest = text;
    loop {
        let end = rest.find([']', '=']).ok_or(SyntaxError::NeverClosed)?;
        let key = rest[..end].trim();
        if rest.as_bytes()[end] == b']' || key.is_empty() || !key.chars().all(is_plain) {
            let whole = text.split(']').next().unwrap_or(text);
            return Err(SyntaxError::Selector(whole.to_owned()));
        }
        let value;
        (value, rest) = key_value(rest[end + 1..].trim_start())?;
        if keys.iter().any(|(known, _)| **known == *key) {
            return Err(SyntaxError::KeyTwice(key.to_owned()));
        }
        keys.push((key.into(), value));
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix(']') {
            keys.sort();
            return Ok((Step::Item(keys), after));
        }
        rest = match rest.chars().next() {
            Some(',') => &rest[1..],
            Some(found) => return Err(SyntaxError::Unexpected(found)),
            None => return Err(SyntaxError::NeverClosed),
        };
    }
}

fn key_value(text: &str) -> Result<(Box<str>, &str), SyntaxError> {
    if text.starts_with('"') {
        return quoted(text);
    }
    let end = text.find([']', ',']).ok_or(SyntaxError::NeverClosed)?;
    Ok((text[..end].trim().into(), &text[end..]))
}

/// Parses a JSON string at the start of the text.
fn quoted(text: &str) -> Result<(Box<str>, &str), SyntaxError> {
    let mut escaped = false;
    let end = text[1..].bytes().position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    let (literal, rest) = text.split_at(end.ok_or(SyntaxError::NeverClosed)? + 2);
    let arena = Arena::new();
    let value = parse_str(&arena, literal).ok().and_then(Value::as_str);
    let value = value.ok_or_else(|| SyntaxError::Quoted(literal.to_owned()))?;
    Ok((value.into(), rest))
}

/// The text parses to the same path.
impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, step) in self.0.iter().enumerate() {
            match step {
                Step::Field(name) if !name.is_empty() && name.chars().all(is_plain) => {
                    let dot = if position > 0 { "." } else { "" };
                    write!(f, "{dot}{name}")?;
                }
                Step::Field(name) => write!(f, "[{}]", to_string(Value::Str(name)))?,
                Step::Each => f.write_str("[*]")?,
                Step::Item(keys) => {
                    for (position, (key, value)) in keys.iter().enumerate() {
                        let before = if position == 0 { '[' } else { ',' };
                        let bare = !value.is_empty() && value.chars().all(|c| is_plain(c) || c == '.');
                        if bare {
                            write!(f, "{before}{key}={value}")?;
                        } else {
                            write!(f, "{before}{key}={}", to_string(Value::Str(value)))?;
                        }
                    }
                    f.write_str("]")?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads(text: &str, canonical: &str) {
        let path = FieldPath::parse(text).expect(text);
        assert_eq!(path.to_string(), canonical);
        assert_eq!(FieldPath::parse(canonical), Ok(path), "{canonical}");
    }

    fn fails(text: &str, reason: &str) {
        let error = FieldPath::parse(text).expect_err(text);
        assert_eq!(error.to_string(), reason, "{text}");
    }

    #[test]
    fn paths_read_back() {
        reads("spec", "spec");
        reads("spec.settings.tier", "spec.settings.tier");
        reads("spec.labels.app/name", "spec.labels.app/name");
        reads(r#"spec.labels["a.b"].c"#, r#"spec.labels["a.b"].c"#);
        reads(r#"spec.labels["plain"]"#, "spec.labels.plain");
        reads(r#"spec.labels["a\"]b"]"#, r#"spec.labels["a\"]b"]"#);
        reads(
            "spec.flags[ name = max_connections ].value",
            "spec.flags[name=max_connections].value",
        );
        reads(
            "spec.ports[protocol=TCP,port=80]",
            "spec.ports[port=80,protocol=TCP]",
        );
        reads(
            r#"spec.networks[value="10.0.0.0/8"]"#,
            "spec.networks[value=10.0.0.0/8]",
        );
        reads(r#"spec.networks[value="a,b]"]"#, r#"spec.networks[value="a,b]"]"#);
        reads("spec.flags[*].value", "spec.flags[*].value");
        reads("spec.a[name=]", r#"spec.a[name=""]"#);
    }

    #[test]
    fn errors_name_what_is_wrong() {
        fails("", "a path starts with `spec.`");
        fails(".spec", "a path starts with `spec.`");
        fails("spec..a", "a field name is missing after `spec.`");
        fails("spec.", "a field name is missing after `spec.`");
        fails(
            "spec.a b",
            "unexpected ' '; write odd map keys as `[\"…\"]` and separate paths with commas",
        );
        fails(
            "spec.a]",
            "unexpected ']'; write odd map keys as `[\"…\"]` and separate paths with commas",
        );
        fails("spec.a[name=x", "`[` is never closed");
        fails("spec.a[\"x", "`[` is never closed");
        fails("spec.a[", "`[` is never closed");
        fails(
            "spec.a[0].b",
            "list items have no fixed position, so `[0]` is not supported; write `[key=value]` or `[*]`",
        );
        fails(
            "spec.a[]",
            "`[]` is not one of `[key=value]`, `[\"map key\"]` and `[*]`",
        );
        fails(
            "spec.a[x]",
            "`[x]` is not one of `[key=value]`, `[\"map key\"]` and `[*]`",
        );
        fails("spec.a[b=1,b=2]", "the key `b` is given twice");
        fails(r#"spec.a["\q"]"#, r#"`"\q"` is not a JSON string"#);
        fails(
            "spec.a[b=\"1\"x]",
            "unexpected 'x'; write odd map keys as `[\"…\"]` and separate paths with commas",
        );
        fails(&"a.".repeat(300), "a path has at most 256 steps");
    }

    #[test]
    fn lists_split_at_commas_outside_of_brackets() {
        let cases: [(&str, &[&str]); 7] = [
            ("", &[]),
            (" , ,", &[]),
            ("spec.a, spec.b ,spec.c", &["spec.a", "spec.b", "spec.c"]),
            ("spec.a[b=1,c=2],spec.d", &["spec.a[b=1,c=2]", "spec.d"]),
            (r#"spec.a["x,]y"],spec.d"#, &[r#"spec.a["x,]y"]"#, "spec.d"]),
            ("spec.a[b,spec.c", &["spec.a[b", "spec.c"]),
            ("spec.a\",spec.c", &["spec.a\"", "spec.c"]),
        ];
        for (text, parts) in cases {
            assert_eq!(split(text), parts, "{text}");
        }
    }
}
