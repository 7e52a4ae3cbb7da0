//! Structure of comments: paragraphs, lists, headings and code, in the forms that Go and Markdown share.

use super::inline::{Line, line};

/// A part of a description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// A paragraph.
    Text(Line),
    /// A heading.
    Heading(Line),
    /// A list.
    List(Vec<Item>),
    /// Literal lines.
    Code(String),
}

/// An item of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Nesting depth.
    pub level: usize,
    /// Whether it has a number.
    pub numbered: bool,
    /// Its text.
    pub text: Line,
}

/// Lists nested deeper are shown at this level.
const MAX_LEVEL: usize = 4;

/// Reads a comment. Authors' notes after `---` and lines with `TODO` are left out.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut reader = Reader::default();
    for written in text.lines().take_while(|line| line.trim() != "---") {
        reader.read(written.trim_end());
    }
    reader.end();
    reader.blocks
}

/// The first paragraph of a description.
pub(super) fn summary(blocks: &[Block]) -> Option<&Line> {
    blocks.iter().find_map(|block| match block {
        Block::Text(line) => Some(line),
        _ => None,
    })
}

#[derive(Default)]
struct Reader {
    blocks: Vec<Block>,
    open: Open,
    /// Whether the last line was blank.
    blank: bool,
    /// Whether the last line of text ended with a colon.
    colon: bool,
}

/// The block that the next line may continue.
#[derive(Default)]
enum Open {
    #[default]
    Nothing,
    Text(String),
    /// Items: indentation, whether numbered, text.
    List(Vec<(usize, bool, String)>),
    /// Code without a fence.
    Indented(Vec<String>),
    Fenced(Vec<String>),
}

impl Reader {
    fn read(&mut self, written: &str) {
        let trimmed = written.trim_start();
        if let Open::Fenced(lines) = &mut self.open {
            if trimmed.starts_with("```") {
                self.end();
            } else {
                lines.push(written.to_owned());
            }
            return;
        }
        if trimmed.starts_with("TODO") {
            return;
        }
        if trimmed.is_empty() {
            self.blank = true;
            if let Open::Indented(lines) = &mut self.open {
                lines.push(String::new());
            }
            return;
        }
        self.text(written, trimmed);
        self.blank = false;
        self.colon = trimmed.ends_with(':');
    }

    fn text(&mut self, written: &str, trimmed: &str) {
        let indent = width(written);
        if let Open::Indented(lines) = &mut self.open
            && indent > 1
        {
            lines.push(written.to_owned());
            return;
        }
        // A fence with text after it on the same line is inline code.
        if trimmed
            .strip_prefix("```")
            .is_some_and(|info| !info.contains('`'))
        {
            self.end();
            self.open = Open::Fenced(Vec::new());
        } else if let Some((numbered, text)) = item(trimmed) {
            let found = (indent, numbered, text.to_owned());
            match &mut self.open {
                Open::List(items) => items.push(found),
                _ => {
                    self.end();
                    self.open = Open::List(vec![found]);
                }
            }
        } else if let Some(title) = heading(written) {
            self.end();
            self.blocks.push(Block::Heading(line(title)));
        } else {
            self.words(written, trimmed, indent);
        }
    }

    fn words(&mut self, written: &str, trimmed: &str, indent: usize) {
        let (blank, colon) = (self.blank, self.colon);
        match &mut self.open {
            // Text indented below an item belongs to it, and so does text that follows without a gap.
            Open::List(items) if !blank || items.last().is_some_and(|(at, ..)| indent > *at) => {
                let (.., text) = items.last_mut().expect("a list begins with an item");
                text.push(' ');
                text.push_str(trimmed);
            }
            _ if indent > 1 && (blank || colon) => {
                self.end();
                self.open = Open::Indented(vec![written.to_owned()]);
            }
            Open::Text(text) if !blank => {
                text.push(' ');
                text.push_str(trimmed);
            }
            _ => {
                self.end();
                self.open = Open::Text(trimmed.to_owned());
            }
        }
    }

    fn end(&mut self) {
        match std::mem::take(&mut self.open) {
            Open::Nothing => {}
            Open::Text(text) => self.blocks.push(Block::Text(line(&text))),
            Open::List(items) => self.blocks.push(Block::List(leveled(&items))),
            Open::Indented(lines) | Open::Fenced(lines) => {
                let text = unindented(&lines);
                if !text.is_empty() {
                    self.blocks.push(Block::Code(text));
                }
            }
        }
    }
}

/// Items with levels: an item is nested in the one above if it is indented deeper.
fn leveled(items: &[(usize, bool, String)]) -> Vec<Item> {
    let mut around: Vec<usize> = Vec::new();
    let mut leveled = Vec::new();
    for (indent, numbered, text) in items {
        while around.last().is_some_and(|last| last >= indent) {
            around.pop();
        }
        leveled.push(Item {
            level: around.len().min(MAX_LEVEL),
            numbered: *numbered,
            text: line(text),
        });
        around.push(*indent);
    }
    leveled
}

/// The text of an item, and whether it has a number.
fn item(trimmed: &str) -> Option<(bool, &str)> {
    for bullet in ["- ", "* ", "• "] {
        if let Some(text) = trimmed.strip_prefix(bullet) {
            return Some((false, text.trim_start()));
        }
    }
    let digits = trimmed.find(|c: char| !c.is_ascii_digit())?;
    let behind = &trimmed[digits..];
    let text = behind.strip_prefix(". ").or_else(|| behind.strip_prefix(") "))?;
    (1..=2).contains(&digits).then(|| (true, text.trim_start()))
}

fn heading(written: &str) -> Option<&str> {
    let title = written.trim_start_matches('#');
    let is_marked = (1..=6).contains(&(written.len() - title.len()));
    title.strip_prefix(' ').filter(|_| is_marked).map(str::trim)
}

/// Columns before the first character; a tab counts as several.
fn width(written: &str) -> usize {
    let space = written.chars().take_while(|c| c.is_whitespace());
    space.map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

/// Lines without their common indentation, and without empty lines at the ends.
fn unindented(lines: &[String]) -> String {
    let starts = lines.iter().filter(|line| !line.trim().is_empty());
    let common = starts
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    // The cut may be inside a multi-byte space.
    let cut = |line: &String| line.get(common..).unwrap_or(line.trim_start()).to_owned();
    let lines: Vec<String> = lines.iter().map(cut).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::inline::tests::shown;
    use super::*;

    fn check(text: &str, wanted: &[&str]) {
        let show = |block: &Block| match block {
            Block::Text(line) => vec![shown(line)],
            Block::Heading(line) => vec![format!("# {}", shown(line))],
            Block::Code(code) => vec![format!("<<{code}>>")],
            Block::List(items) => items
                .iter()
                .map(|item| {
                    let mark = if item.numbered { "1." } else { "-" };
                    format!("{}{mark} {}", " ".repeat(item.level), shown(&item.text))
                })
                .collect(),
        };
        let found: Vec<String> = blocks(text).iter().flat_map(show).collect();
        assert_eq!(found, wanted, "{text}");
    }

    #[test]
    fn lines_become_paragraphs() {
        check("One\ntwo.\n\nThree.", &["One two.", "Three."]);
        check("One\nTODO: no\n---\nnotes", &["One"]);
        check("One\n  hanging.", &["One hanging."]);
        check("# Title\nText", &["# Title", "Text"]);
        check("#1 is first", &["#1 is first"]);
    }

    #[test]
    fn items_keep_the_text_indented_below_them() {
        check("Three:\n - a\n   b\n - c\n\nD", &["Three:", "- a b", "- c", "D"]);
        check("- a\nb\n\n  c", &["- a b c"]);
        check("- a\n  - b\n    - c\n- d", &["- a", " - b", "  - c", "- d"]);
        check("1. a\n2) b", &["1. a", "1. b"]);
        check("1.5 times\n-5 degrees", &["1.5 times -5 degrees"]);
    }

    #[test]
    fn code_is_unchanged() {
        check(
            "For example:\n\n```yaml\na:\n  b: `c`\n\nd: e\n```\n\nEnd.",
            &["For example:", "<<a:\n  b: `c`\n\nd: e>>", "End."],
        );
        check(
            "For example:\n\ta:\n\t  b\n\n\tc\nEnd.",
            &["For example:", "<<a:\n  b\n\nc>>", "End."],
        );
        check("```\n a\n\u{a0}b\n\nc\n```", &["<< a\n\u{a0}b\n\nc>>"]);
        check("```\n a\n\u{3000}b\n```", &["<<a\nb>>"]);
        check("```\nnever closed", &["<<never closed>>"]);
        check("Use ```a``` here", &["Use ```a``` here"]);
        check("```", &[]);
    }
}
