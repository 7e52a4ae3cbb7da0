//! The comments of one file: single comments, their groups as in Go, and the text of a group line by line.
//! Knows no declarations; `attach` assigns comments to them.

use kindsmith_source::{FileId, Span};

/// One `//` or `/* */` comment, including the slashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comment {
    /// Offset of the first slash.
    pub start: u32,
    /// Offset just past the comment, without the line break.
    pub end: u32,
    /// Line of the first byte, from 1.
    pub line: u32,
    /// Line of the last byte.
    pub end_line: u32,
}

/// Comments separated only by single line breaks (`ast.CommentGroup`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    first: u32,
    count: u32,
    /// Line of the first byte, from 1.
    pub line: u32,
    /// Line of the last byte.
    pub end_line: u32,
    /// Whether there is code before the group on its first line.
    pub after_code: bool,
}

/// A comment group of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub(super) u32);

/// One line of a group's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommentLine<'a> {
    /// The text without comment markers.
    pub text: &'a str,
    /// The place of the text.
    pub span: Span,
    /// Whether the line is from a `//` comment; some tools read no others.
    pub slashes: bool,
}

/// All comments of one file in source order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommentTable {
    comments: Vec<Comment>,
    groups: Vec<Group>,
}

impl CommentTable {
    /// An empty table with room for the comments in a file of this many bytes, if it has as many as typical
    /// API types.
    pub(super) fn with_room(bytes: usize) -> Self {
        Self {
            comments: Vec::with_capacity(bytes / 80),
            groups: Vec::with_capacity(bytes / 160),
        }
    }

    /// The group behind an id.
    #[must_use]
    pub fn group(&self, id: GroupId) -> &Group {
        &self.groups[id.0 as usize]
    }

    /// The comments of a group.
    #[must_use]
    pub fn comments(&self, id: GroupId) -> &[Comment] {
        let group = self.group(id);
        &self.comments[group.first as usize..(group.first + group.count) as usize]
    }

    /// All groups in source order.
    pub fn groups(&self) -> impl DoubleEndedIterator<Item = GroupId> + use<> {
        (0..self.groups.len() as u32).map(GroupId)
    }

    /// The last group that ends on `line`, searching backwards; gengo keeps one group per line.
    #[must_use]
    pub(crate) fn ending_on(&self, line: u32) -> Option<GroupId> {
        let after = self.groups.iter().rposition(|group| group.end_line <= line)?;
        (self.groups[after].end_line == line).then_some(GroupId(after as u32))
    }

    pub(super) fn len(&self) -> u32 {
        self.groups.len() as u32
    }

    /// The line on which the last group ends, 0 if there is none.
    pub(super) fn last_line(&self) -> u32 {
        self.groups.last().map_or(0, |group| group.end_line)
    }

    pub(super) fn start_group(&mut self, comment: Comment, after_code: bool) {
        self.groups.push(Group {
            first: self.comments.len() as u32,
            count: 1,
            line: comment.line,
            end_line: comment.end_line,
            after_code,
        });
        self.comments.push(comment);
    }

    /// Adds to the last group; there must be one.
    pub(super) fn extend_group(&mut self, comment: Comment) {
        if let Some(group) = self.groups.last_mut() {
            group.count += 1;
            group.end_line = comment.end_line;
            self.comments.push(comment);
        }
    }

    pub(super) fn truncate(&mut self, groups: u32) {
        let Some(first_gone) = self.groups.get(groups as usize) else {
            return;
        };
        self.comments.truncate(first_gone.first as usize);
        self.groups.truncate(groups as usize);
    }

    /// The text of a group as in Go's `ast.CommentGroup.Text`, line by line: without comment markers, the
    /// first space of a `//` line, directives and trailing blanks; runs of blank lines are collapsed, and
    /// blank lines at both ends dropped.
    #[must_use]
    pub fn lines<'a>(&self, id: GroupId, file: FileId, text: &'a str) -> Vec<CommentLine<'a>> {
        let mut lines: Vec<CommentLine<'a>> = Vec::with_capacity(self.comments(id).len());
        for comment in self.comments(id) {
            push_lines(&mut lines, comment, file, text);
        }
        while lines.last().is_some_and(|line| line.text.is_empty()) {
            lines.pop();
        }
        lines
    }
}

fn push_lines<'a>(lines: &mut Vec<CommentLine<'a>>, comment: &Comment, file: FileId, text: &'a str) {
    let whole = &text[comment.start as usize..comment.end as usize];
    if let Some(body) = whole.strip_prefix("//") {
        let shown = body.strip_prefix(' ').unwrap_or(body);
        if shown.len() == body.len() && is_directive(body) {
            return;
        }
        push_line(lines, comment.end - shown.len() as u32, file, shown, true);
        return;
    }
    let body = whole.strip_prefix("/*").unwrap_or(whole);
    let body = body.strip_suffix("*/").unwrap_or(body);
    let mut start = comment.start + 2;
    for line in body.split('\n') {
        push_line(lines, start, file, line, false);
        start += line.len() as u32 + 1;
    }
}

fn push_line<'a>(lines: &mut Vec<CommentLine<'a>>, start: u32, file: FileId, line: &'a str, slashes: bool) {
    let text = line.trim_end_matches([' ', '\t', '\n', '\r']);
    // A blank line counts only after a line with text.
    if text.is_empty() && lines.last().is_none_or(|last| last.text.is_empty()) {
        return;
    }
    lines.push(CommentLine {
        text,
        span: Span::new(file, start, start + text.len() as u32),
        slashes,
    });
}

/// Whether the text after `//` is a directive for a tool (`isDirective` in go/ast/ast.go).
fn is_directive(text: &str) -> bool {
    if ["line ", "extern ", "export "]
        .iter()
        .any(|word| text.starts_with(word))
    {
        return true;
    }
    let lower = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = text.as_bytes();
    let tool = bytes.iter().take_while(|byte| lower(byte)).count();
    tool > 0 && bytes.get(tool) == Some(&b':') && bytes.get(tool + 1).is_some_and(lower)
}
