//! Splits YAML block mappings and sequences by the indentation of their lines, one level at a time.
//!
//! `None` everywhere means doubt: the text may be fine, but its lines alone do not prove it.

use std::ops::Range;

use memchr::memchr;

/// A key of a block mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Child<'t> {
    pub(super) key: &'t str,
    /// The text after the colon on the same line.
    pub(super) rest: &'t str,
    /// The lines below that belong to it.
    pub(super) block: Range<usize>,
}

/// Part of a text whose first line may start after a dash.
#[derive(Debug, Clone)]
pub(super) struct Block<'t> {
    pub(super) text: &'t str,
    pub(super) range: Range<usize>,
    /// Columns to skip on the first line.
    pub(super) skip: usize,
}

struct Line<'t> {
    start: usize,
    end: usize,
    indent: usize,
    /// Without indentation and trailing blanks; empty for blank lines and comments.
    content: &'t str,
}

impl<'t> Block<'t> {
    /// Lines of the block that are indented by at most `within` columns, without empty lines and comments.
    fn lines(&self, within: impl Fn() -> usize) -> impl Iterator<Item = Line<'t>> {
        let mut at = self.range.start;
        let (text, end, first, skip) = (self.text, self.range.end, self.range.start, self.skip);
        std::iter::from_fn(move || {
            while at < end {
                let start = at;
                let rest = &text.as_bytes()[start..end];
                at = memchr(b'\n', rest).map_or(end, |line| start + line + 1);
                let skipped = if start == first { skip } else { 0 };
                let line = &rest[skipped.min(rest.len())..at - start];
                // Most lines are deeper than those of interest; how much deeper does not matter.
                let within = within();
                let looked = line.iter().take(within.saturating_add(1));
                let indent = skipped + looked.take_while(|&&byte| byte == b' ').count();
                if indent > within {
                    continue;
                }
                let content = text[(start + indent).min(at)..at].trim_end_matches([' ', '\t', '\r', '\n']);
                if content.is_empty() || content.starts_with('#') {
                    continue;
                }
                return Some(Line {
                    start,
                    end: at,
                    indent,
                    content,
                });
            }
            None
        })
    }

    /// Splits the block as a mapping; returns the column of its keys, and the keys.
    pub(super) fn mapping(&self) -> Option<(usize, Vec<Child<'t>>)> {
        let column = std::cell::Cell::new(usize::MAX);
        let mut children: Vec<Child<'t>> = Vec::new();
        for line in self.lines(|| column.get()) {
            if column.get() == usize::MAX {
                column.set(line.indent);
            }
            if line.indent < column.get() {
                return None;
            }
            if line.content.starts_with("- ") || line.content == "-" {
                // A sequence may be in the same column as its key.
                children.last().filter(|child| child.rest.is_empty())?;
                continue;
            }
            let (key, rest) = split(line.content)?;
            if children.iter().any(|child| child.key == key) {
                return None;
            }
            if let Some(last) = children.last_mut() {
                last.block.end = line.start;
            }
            children.push(Child {
                key,
                rest,
                block: line.end..self.range.end,
            });
        }
        Some((column.get(), children))
    }

    /// Splits the block as a sequence of blocks; returns the column of its dashes, and the blocks.
    pub(super) fn sequence(&self) -> Option<(usize, Vec<Block<'t>>)> {
        let column = std::cell::Cell::new(usize::MAX);
        let mut items: Vec<Block<'t>> = Vec::new();
        for line in self.lines(|| column.get()) {
            if column.get() == usize::MAX {
                column.set(line.indent);
            }
            if line.indent < column.get() || !line.content.starts_with("- ") {
                return None;
            }
            if let Some(last) = items.last_mut() {
                last.range.end = line.start;
            }
            items.push(Block {
                text: self.text,
                range: line.start..self.range.end,
                skip: line.indent + 1,
            });
        }
        Some((column.get(), items))
    }

    /// The block below a key.
    pub(super) fn below(&self, child: &Child<'t>) -> Block<'t> {
        Block {
            text: self.text,
            range: child.block.clone(),
            skip: 0,
        }
    }
}

/// Splits a line at its colon, if its key is a plain word.
fn split(content: &str) -> Option<(&str, &str)> {
    let is_word =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/' | b'$');
    let length = content.bytes().take_while(|byte| is_word(byte)).count();
    let (key, rest) = content.split_at(length);
    let rest = rest.strip_prefix(':')?;
    if key.is_empty() || !(rest.is_empty() || rest.starts_with(' ')) {
        return None;
    }
    let rest = rest.trim_start_matches(' ');
    Some((key, if rest.starts_with('#') { "" } else { rest }))
}

impl Child<'_> {
    /// Its text, if that is a plain word on one line that YAML reads as a string.
    pub(super) fn word(&self, text: &str) -> Option<&str> {
        let word = self.scalar(text)?;
        let begins = word.starts_with(|first: char| first.is_ascii_alphabetic());
        let means_more = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"]
            .iter()
            .any(|special| word.eq_ignore_ascii_case(special));
        (begins && !means_more).then_some(word)
    }

    /// Its boolean, if that is written in full.
    pub(super) fn truth(&self, text: &str) -> Option<bool> {
        match self.scalar(text)? {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    fn scalar(&self, text: &str) -> Option<&str> {
        let word = self.rest.split(" #").next().unwrap_or_default().trim_end();
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/');
        // Any content below would continue the text.
        let alone = text[self.block.clone()].lines().all(|line| {
            let line = line.trim();
            line.is_empty() || line.starts_with('#')
        });
        (alone && !word.is_empty() && word.bytes().all(is_plain)).then_some(word)
    }
}
