//! Text with code and links in it, before it is known what it is written as.

/// A paragraph or a cell.
pub type Line = Vec<Piece>;

/// A part of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Plain text.
    Text(String),
    /// Something to be typed as it is.
    Code(String),
    /// A link to a section.
    Link {
        /// What is shown.
        text: String,
        /// The page, unless it is this one.
        page: Option<String>,
        /// The section.
        anchor: String,
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

/// Text with parts between backticks as code.
pub(super) fn line(text: &str) -> Line {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('`') {
        let Some((code, after)) = behind.split_once('`').filter(|(code, _)| !code.is_empty()) else {
            break;
        };
        if !before.is_empty() {
            pieces.push(Piece::text(before));
        }
        pieces.push(Piece::code(code));
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::text(rest));
    }
    pieces
}

/// The paragraphs of a comment: notes of its authors behind `---` and lines with `TODO` are left out; lines that are
/// indented or begin a list stay lines of their own.
pub(super) fn paragraphs(text: &str) -> Vec<Line> {
    let mut paragraphs: Vec<String> = Vec::new();
    let mut is_open = false;
    for written in text.lines().take_while(|line| line.trim() != "---") {
        let trimmed = written.trim();
        if trimmed.starts_with("TODO") {
            continue;
        }
        let is_own =
            written.starts_with([' ', '\t']) || trimmed.starts_with("- ") || trimmed.starts_with("* ");
        match paragraphs.last_mut() {
            Some(last) if is_open && !is_own && !trimmed.is_empty() => {
                last.push(' ');
                last.push_str(trimmed);
            }
            _ if trimmed.is_empty() => {}
            _ => paragraphs.push(trimmed.to_owned()),
        }
        is_open = !trimmed.is_empty();
    }
    paragraphs.iter().map(|paragraph| line(paragraph)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pieces: &[Piece]) -> String {
        let show = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Code(code) => format!("<{code}>"),
            Piece::Link { text, .. } => format!("[{text}]"),
        };
        pieces.iter().map(show).collect()
    }

    #[test]
    fn code_stands_between_backticks() {
        for (text, wanted) in [
            ("a `b` c", "a <b> c"),
            ("a ` b", "a ` b"),
            ("`a``b`", "<a><b>"),
            ("a `` b", "a `` b"),
            ("", ""),
        ] {
            assert_eq!(shown(&line(text)), wanted, "{text}");
        }
    }

    #[test]
    fn lines_become_paragraphs() {
        let text = "One\ntwo.\n\nThree:\n - a\n - b\nTODO: no\n---\nnotes";
        let found: Vec<String> = paragraphs(text).iter().map(|one| shown(one)).collect();
        assert_eq!(found, ["One two.", "Three:", "- a", "- b"]);
    }
}
