//! Text with code and links, independent of the output format.

/// A paragraph or a cell.
pub type Line = Vec<Piece>;

/// A part of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Plain text.
    Text(String),
    /// Emphasized text.
    Strong(String),
    /// Literal text.
    Code(String),
    /// A link to a section.
    Link {
        /// The text shown.
        text: String,
        /// The page, if it is another one.
        page: Option<String>,
        /// The section.
        anchor: String,
    },
    /// A link to another site.
    Web {
        /// The text shown.
        text: String,
        /// An address with `http:` or `https:`.
        url: String,
    },
}

impl Piece {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub(super) fn code(text: impl Into<String>) -> Self {
        Self::Code(text.into())
    }
}

/// Text with parts between backticks as code, and URLs as links.
pub(super) fn line(text: &str) -> Line {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('`') {
        let Some((code, after)) = behind.split_once('`').filter(|(code, _)| !code.is_empty()) else {
            break;
        };
        linked(&mut pieces, before);
        pieces.push(Piece::code(code));
        rest = after;
    }
    linked(&mut pieces, rest);
    pieces
}

/// Adds text without code.
fn linked(pieces: &mut Line, text: &str) {
    let mut rest = text;
    while let Some(found) = first_link(rest) {
        strong(pieces, &rest[..found.start]);
        pieces.push(Piece::Web {
            text: found.text.to_owned(),
            url: found.url.to_owned(),
        });
        rest = &rest[found.end..];
    }
    strong(pieces, rest);
}

/// Adds text without code and links.
fn strong(pieces: &mut Line, text: &str) {
    let mut rest = text;
    let is_marked = |inner: &str| !inner.is_empty() && inner.trim() == inner;
    while let Some((before, behind)) = rest.split_once("**") {
        let Some((inner, after)) = behind.split_once("**").filter(|(inner, _)| is_marked(inner)) else {
            break;
        };
        if !before.is_empty() {
            pieces.push(Piece::text(before));
        }
        pieces.push(Piece::Strong(inner.to_owned()));
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::text(rest));
    }
}

struct Found<'t> {
    start: usize,
    end: usize,
    text: &'t str,
    url: &'t str,
}

/// The first `[text](address)` or bare URL.
fn first_link(text: &str) -> Option<Found<'_>> {
    let start = ["https://", "http://"]
        .into_iter()
        .filter_map(|scheme| text.find(scheme))
        .min()?;
    if let Some(before) = text[..start].strip_suffix("](")
        && let Some(open) = before.rfind('[')
        && let Some(length) = text[start..].find(')')
    {
        let url = &text[start..start + length];
        if !url.contains(is_end) && open + 1 < before.len() {
            let end = start + length + 1;
            let text = &before[open + 1..];
            return Some(Found {
                start: open,
                end,
                text,
                url,
            });
        }
    }
    let length = text[start..].find(is_end).unwrap_or(text.len() - start);
    let url = trimmed(&text[start..start + length]);
    (!url.ends_with("//")).then_some(Found {
        start,
        end: start + url.len(),
        text: url,
        url,
    })
}

fn is_end(c: char) -> bool {
    c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '"' | '`' | '\\')
}

/// A URL without the punctuation of the sentence around it.
fn trimmed(url: &str) -> &str {
    let mut url = url;
    loop {
        let is_closed = url.ends_with(')') && url.matches(')').count() <= url.matches('(').count();
        match url.strip_suffix(['.', ',', ';', ':', '!', '?', ')', ']', '}', '\'', '*', '_']) {
            Some(shorter) if !is_closed => url = shorter,
            _ => return url,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) fn shown(pieces: &[Piece]) -> String {
        let show = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Strong(text) => format!("*{text}*"),
            Piece::Code(code) => format!("<{code}>"),
            Piece::Link { text, .. } => format!("[{text}]"),
            Piece::Web { text, url } if text == url => format!("{{{url}}}"),
            Piece::Web { text, url } => format!("{{{text}|{url}}}"),
        };
        pieces.iter().map(show).collect()
    }

    fn check(text: &str, wanted: &str) {
        assert_eq!(shown(&line(text)), wanted, "{text}");
    }

    #[test]
    fn code_is_between_backticks() {
        check("a `b` c", "a <b> c");
        check("a ` b", "a ` b");
        check("`a``b`", "<a><b>");
        check("a `` b", "a `` b");
        check("", "");
        check("`https://a.b`", "<https://a.b>");
    }

    #[test]
    fn two_stars_emphasize() {
        check("a **b c** d", "a *b c* d");
        check("a ** b ** c", "a ** b ** c");
        check("**a", "**a");
        check("2**3 ****", "2**3 ****");
    }

    #[test]
    fn addresses_become_links() {
        check("See https://a.b/c#d.", "See {https://a.b/c#d}.");
        check("(http://a.b/c_(d))", "({http://a.b/c_(d)})");
        check("[the docs](https://a.b) say", "{the docs|https://a.b} say");
        check("[](https://a.b)", "[]({https://a.b})");
        check("<https://a.b>", "<{https://a.b}>");
        check("ftp://a.b javascript:x", "ftp://a.b javascript:x");
        check("https://a.b\"onclick=\"x", "{https://a.b}\"onclick=\"x");
        check("https://", "https://");
    }
}
