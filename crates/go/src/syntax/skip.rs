//! Skips function bodies, where only comments and the end matter. Knows braces, quotes and comments, nothing
//! else.

use super::comment::Comment;
use super::lexer::Lexer;

/// Where to give up on an unclosed block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    End,
    Declaration,
}

fn starts_declaration(line: &[u8]) -> bool {
    let words: [&[u8]; 5] = [b"func ", b"type ", b"const ", b"var ", b"import "];
    words.iter().any(|word| line.starts_with(word))
}

/// Which bytes may change the state of a skip.
static INTERESTING: [bool; 256] = {
    let mut table = [false; 256];
    let bytes = b"{}\"'`/\n";
    let mut index = 0;
    while index < bytes.len() {
        table[bytes[index] as usize] = true;
        index += 1;
    }
    table
};

impl Lexer<'_> {
    /// Skips to just past the `}` that closes a `{` already read. Returns false at the end of the file or, if
    /// requested, before a line that starts like a declaration.
    pub(super) fn skip_block(&mut self, until: Until) -> bool {
        let mut last_comment_line = 0;
        self.skip(until, |lexer, comment| {
            lexer.keep_skipped(comment, &mut last_comment_line);
        })
    }

    /// Like `skip_block`, without keeping comments. Returns the line on which the last one ends, 0 if there
    /// is none; `None` if the block has no end or an error.
    pub(super) fn skip_closed_block(&mut self) -> Option<u32> {
        let findings = self.diagnostics.len();
        let mut last_comment_line = 0;
        let closed = self.skip(Until::End, |_, comment| last_comment_line = comment.end_line);
        (closed && self.diagnostics.len() == findings).then_some(last_comment_line)
    }

    fn skip(&mut self, until: Until, mut comment: impl FnMut(&mut Self, Comment)) -> bool {
        let mut depth = 1u32;
        loop {
            let Some(len) = self.bytes[self.at.pos..]
                .iter()
                .position(|byte| INTERESTING[*byte as usize])
            else {
                self.at.pos = self.bytes.len();
                return false;
            };
            self.at.pos += len;
            match self.bytes[self.at.pos] {
                b'\n' => {
                    self.at.line += 1;
                    self.at.pos += 1;
                    if until == Until::Declaration && starts_declaration(&self.bytes[self.at.pos..]) {
                        return false;
                    }
                }
                b'{' => {
                    depth += 1;
                    self.at.pos += 1;
                }
                b'}' => {
                    depth -= 1;
                    self.at.pos += 1;
                    if depth == 0 {
                        self.at.ends_line = true;
                        self.at.token_line = self.at.line;
                        return true;
                    }
                }
                b'"' => self.quoted(b'"', "string is not closed on its line"),
                b'\'' => self.quoted(b'\'', "rune is not closed on its line"),
                b'`' => self.raw_string(),
                _ => match self.bytes.get(self.at.pos + 1) {
                    Some(b'/') => {
                        let line = self.line_comment();
                        comment(self, line);
                    }
                    Some(b'*') => {
                        let block = self.block_comment();
                        comment(self, block);
                    }
                    _ => self.at.pos += 1,
                },
            }
        }
    }

    /// Adds a skipped comment to its group.
    fn keep_skipped(&mut self, comment: Comment, last_comment_line: &mut u32) {
        let before = self.bytes[..comment.start as usize]
            .iter()
            .rev()
            .find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
        let alone = matches!(before, Some(b'\n') | None);
        if alone && *last_comment_line + 1 == comment.line {
            self.comments.extend_group(comment);
        } else {
            self.comments.start_group(comment, !alone);
        }
        *last_comment_line = if alone { comment.end_line } else { 0 };
    }
}
