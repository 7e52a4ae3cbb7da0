//! Comments of declarations.

use std::borrow::Cow;

use crate::Str;

/// The comment of a declaration, including markers; back ends pick their lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Docs {
    /// Lines of the comment that ends on the line above the declaration, joined by line breaks.
    pub text: Option<Str>,
    /// The doc comment by Go's own rules, without the markers in its `//` lines and without the indentation
    /// of `/* */` comments. `None` if it equals `text` without the lines that begin with a `+`.
    pub godoc: Option<Str>,
}

impl Docs {
    /// The doc comment by Go's own rules, without markers.
    #[must_use]
    pub fn prose(&self) -> Cow<'_, str> {
        if let Some(godoc) = &self.godoc {
            return Cow::Borrowed(godoc);
        }
        let Some(text) = &self.text else {
            return Cow::Borrowed("");
        };
        let is_marker = |line: &str| line.trim_start().starts_with('+');
        // No marker comes before the first `+`, and most comments have theirs in the last lines, if any.
        let line_of = |sign: usize| text[..sign].rfind('\n').map_or(0, |end| end + 1);
        let suspects = text.find('+').map_or("", |sign| &text[line_of(sign)..]);
        if !suspects.lines().any(is_marker) {
            return Cow::Borrowed(text);
        }
        let lines = text.split('\n').filter(|line| !is_marker(line));
        Cow::Owned(collapse(lines, text.len()))
    }
}

/// Lines with runs of blank lines collapsed and no blank lines at the ends; `limit` is the maximum size in
/// bytes.
fn collapse<'a>(lines: impl Iterator<Item = &'a str>, limit: usize) -> String {
    let mut text = String::with_capacity(limit);
    let mut blank = false;
    for line in lines {
        if line.is_empty() {
            blank = true;
            continue;
        }
        if !text.is_empty() {
            text.push_str(if blank { "\n\n" } else { "\n" });
        }
        blank = false;
        text.push_str(line);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, prose: &str) {
        let docs = Docs {
            text: Some(text.into()),
            godoc: None,
        };
        assert_eq!(docs.prose(), prose, "{text}");
    }

    #[test]
    fn prose_has_no_markers() {
        check("A thing.\n+optional\nReally.", "A thing.\nReally.");
        check("A thing.\n\n+optional\n\nReally.", "A thing.\n\nReally.");
        check("+optional\n\nA thing.\n\n +required", "A thing.");
        check("+optional", "");
        check("1 + 1", "1 + 1");
    }
}
