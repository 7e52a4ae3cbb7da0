//! Cuts YAML text into tokens: indentation becomes brackets, and a `:` turns what was before it into a key.
//!
//! Accepts and refuses what go.yaml.in/yaml/v2 does, in its words. Scalars, tags and directives are read in their own
//! modules; this one decides which of them is next.

use std::collections::{BTreeMap, VecDeque};

use super::cursor::{Cursor, Mark};
use super::error::Problem;
use super::token::{Token, TokenKind};

/// Nesting that go-yaml accepts, by brackets and by indentation each.
const MAX_DEPTH: usize = 10_000;

/// How far a `:` may be behind the start of its key, in characters.
const MAX_KEY_LENGTH: usize = 1024;

pub(super) struct Scanner<'t> {
    pub(super) cursor: Cursor<'t>,
    queue: VecDeque<Token<'t>>,
    /// Tokens handed out so far; the number of the first one in the queue.
    taken: usize,
    finished: bool,
    /// Column of the innermost block collection, -1 outside of all.
    pub(super) indent: isize,
    outer_indents: Vec<isize>,
    /// May a key start here?
    pub(super) key_allowed: bool,
    /// What could turn out to be a key: one for the block context, one more for each open flow collection.
    candidates: Vec<Candidate>,
    /// Which candidate starts at which token.
    candidate_at: BTreeMap<usize, usize>,
}

#[derive(Clone, Copy)]
struct Candidate {
    possible: bool,
    /// Nothing but a key can stand here.
    required: bool,
    token: usize,
    mark: Mark,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let candidate = Candidate {
            possible: false,
            required: false,
            token: 0,
            mark: Mark::default(),
        };
        Scanner {
            cursor: Cursor::new(text),
            queue: VecDeque::new(),
            taken: 0,
            finished: false,
            indent: -1,
            outer_indents: Vec::new(),
            key_allowed: true,
            candidates: vec![candidate],
            candidate_at: BTreeMap::new(),
        }
    }

    /// The next token, which stays where it is.
    pub(super) fn peek(&mut self) -> Result<&Token<'t>, Problem> {
        self.fill()?;
        Ok(self
            .queue
            .front()
            .expect("filled; the end of the stream is never taken"))
    }

    /// Takes the next token. The end of the stream is never used up.
    pub(super) fn take(&mut self) -> Result<Token<'t>, Problem> {
        let token = self.peek()?;
        if token.kind == TokenKind::StreamEnd {
            return Ok(token.clone());
        }
        self.taken += 1;
        Ok(self.queue.pop_front().expect("it was just looked at"))
    }

    /// Scans until it is certain what the first token is: a key candidate may still get a `Key` put before it.
    fn fill(&mut self) -> Result<(), Problem> {
        loop {
            if !self.queue.is_empty() {
                let Some(&level) = self.candidate_at.get(&self.taken) else {
                    return Ok(());
                };
                if !self.is_valid_candidate(level)? || self.finished {
                    return Ok(());
                }
            }
            self.scan()?;
        }
    }

    fn scan(&mut self) -> Result<(), Problem> {
        self.skip_to_token();
        self.close_blocks(self.column());
        let Some(byte) = self.cursor.byte(0) else {
            return self.stream_end();
        };
        if self.cursor.mark.column == 0 && byte == b'%' {
            return self.directive();
        }
        if self.cursor.is_document_indicator() {
            return self.document_indicator(byte);
        }
        let spaced = self.cursor.is_space_or_end(1);
        let flow = self.in_flow();
        match byte {
            b'[' => self.flow_start(TokenKind::FlowSequenceStart),
            b'{' => self.flow_start(TokenKind::FlowMappingStart),
            b']' => self.flow_end(TokenKind::FlowSequenceEnd),
            b'}' => self.flow_end(TokenKind::FlowMappingEnd),
            b',' => self.flow_entry(),
            b'-' if spaced => self.block_entry(),
            b'?' if flow || spaced => self.explicit_key(),
            b':' if flow || spaced => self.value(),
            b'*' | b'&' => self.candidate_token(Scanner::anchor),
            b'!' => self.candidate_token(Scanner::tag),
            b'|' if !flow => self.block_scalar(true),
            b'>' if !flow => self.block_scalar(false),
            b'\'' => self.candidate_token(|scanner| scanner.quoted(b'\'')),
            b'"' => self.candidate_token(|scanner| scanner.quoted(b'"')),
            b'-' | b'?' | b':' => self.candidate_token(Scanner::plain),
            b'\t' | b'#' | b'|' | b'>' | b'%' | b'@' | b'`' => {
                Err(self.problem("found character that cannot start any token"))
            }
            _ => self.candidate_token(Scanner::plain),
        }
    }

    fn skip_to_token(&mut self) {
        loop {
            // Where a key may start, a tab would make the indentation unclear.
            let tabs = self.in_flow() || !self.key_allowed;
            while self.cursor.is(b' ') || (tabs && self.cursor.is(b'\t')) {
                self.cursor.skip();
            }
            self.cursor.skip_comment();
            if !self.cursor.is_break(0) {
                return;
            }
            self.cursor.read_break();
            if !self.in_flow() {
                self.key_allowed = true;
            }
        }
    }

    pub(super) fn in_flow(&self) -> bool {
        self.candidates.len() > 1
    }

    fn column(&self) -> isize {
        self.cursor.mark.column as isize
    }

    pub(super) fn problem(&self, text: &'static str) -> Problem {
        Problem::scanning(text, self.cursor.mark)
    }

    fn push(&mut self, kind: TokenKind<'t>, start: Mark) {
        let end = self.cursor.mark;
        self.queue.push_back(Token { kind, start, end });
    }

    /// Inserts a token before the one with this number; at the end if that one is gone already.
    fn insert(&mut self, number: usize, kind: TokenKind<'t>, mark: Mark) {
        let token = Token {
            kind,
            start: mark,
            end: mark,
        };
        match number.checked_sub(self.taken) {
            Some(position) if position <= self.queue.len() => self.queue.insert(position, token),
            _ => self.queue.push_back(token),
        }
    }

    /// Moves over an indicator and makes it a token.
    fn indicator(&mut self, kind: TokenKind<'t>, length: usize) -> Result<(), Problem> {
        let start = self.cursor.mark;
        self.cursor.skip_ascii(length);
        self.push(kind, start);
        Ok(())
    }

    /// Reads something that may turn out to be a key.
    fn candidate_token(
        &mut self,
        scan: impl FnOnce(&mut Self) -> Result<TokenKind<'t>, Problem>,
    ) -> Result<(), Problem> {
        self.save_candidate()?;
        self.key_allowed = false;
        let start = self.cursor.mark;
        let kind = scan(self)?;
        self.push(kind, start);
        Ok(())
    }

    fn stream_end(&mut self) -> Result<(), Problem> {
        if self.cursor.mark.column != 0 {
            self.cursor.mark.column = 0;
            self.cursor.mark.line += 1;
        }
        self.leave_document()?;
        self.finished = true;
        self.push(TokenKind::StreamEnd, self.cursor.mark);
        Ok(())
    }

    fn leave_document(&mut self) -> Result<(), Problem> {
        self.close_blocks(-1);
        self.drop_candidate()?;
        self.key_allowed = false;
        Ok(())
    }

    fn directive(&mut self) -> Result<(), Problem> {
        self.leave_document()?;
        let start = self.cursor.mark;
        let kind = self.scan_directive()?;
        self.push(kind, start);
        Ok(())
    }

    fn document_indicator(&mut self, byte: u8) -> Result<(), Problem> {
        self.leave_document()?;
        let kind = if byte == b'-' {
            TokenKind::DocumentStart
        } else {
            TokenKind::DocumentEnd
        };
        self.indicator(kind, 3)
    }

    fn flow_start(&mut self, kind: TokenKind<'t>) -> Result<(), Problem> {
        self.save_candidate()?;
        let token = self.taken + self.queue.len();
        let mark = self.cursor.mark;
        self.candidates.push(Candidate {
            possible: false,
            required: false,
            token,
            mark,
        });
        if self.candidates.len() > MAX_DEPTH + 1 {
            return Err(self.problem("exceeded max depth of 10000"));
        }
        self.key_allowed = true;
        self.indicator(kind, 1)
    }

    fn flow_end(&mut self, kind: TokenKind<'t>) -> Result<(), Problem> {
        self.drop_candidate()?;
        if self.in_flow()
            && let Some(candidate) = self.candidates.pop()
        {
            self.candidate_at.remove(&candidate.token);
        }
        self.key_allowed = false;
        self.indicator(kind, 1)
    }

    fn flow_entry(&mut self) -> Result<(), Problem> {
        self.drop_candidate()?;
        self.key_allowed = true;
        self.indicator(TokenKind::FlowEntry, 1)
    }

    fn block_entry(&mut self) -> Result<(), Problem> {
        if !self.in_flow() {
            if !self.key_allowed {
                return Err(self.problem("block sequence entries are not allowed in this context"));
            }
            self.open_block(self.cursor.mark, None, TokenKind::BlockSequenceStart)?;
        }
        self.drop_candidate()?;
        self.key_allowed = true;
        self.indicator(TokenKind::BlockEntry, 1)
    }

    fn explicit_key(&mut self) -> Result<(), Problem> {
        if !self.in_flow() {
            if !self.key_allowed {
                return Err(self.problem("mapping keys are not allowed in this context"));
            }
            self.open_block(self.cursor.mark, None, TokenKind::BlockMappingStart)?;
        }
        self.drop_candidate()?;
        self.key_allowed = !self.in_flow();
        self.indicator(TokenKind::Key, 1)
    }

    fn value(&mut self) -> Result<(), Problem> {
        let level = self.candidates.len() - 1;
        if self.is_valid_candidate(level)? {
            let Candidate { token, mark, .. } = self.candidates[level];
            self.insert(token, TokenKind::Key, mark);
            self.open_block(mark, Some(token), TokenKind::BlockMappingStart)?;
            self.candidates[level].possible = false;
            self.candidate_at.remove(&token);
            self.key_allowed = false;
        } else {
            if !self.in_flow() {
                if !self.key_allowed {
                    return Err(self.problem("mapping values are not allowed in this context"));
                }
                self.open_block(self.cursor.mark, None, TokenKind::BlockMappingStart)?;
            }
            self.key_allowed = !self.in_flow();
        }
        self.indicator(TokenKind::Value, 1)
    }

    fn block_scalar(&mut self, literal: bool) -> Result<(), Problem> {
        self.drop_candidate()?;
        self.key_allowed = true;
        let start = self.cursor.mark;
        let kind = self.scan_block_scalar(literal)?;
        self.push(kind, start);
        Ok(())
    }

    /// Opens a block collection if `mark` is further in than the innermost one.
    fn open_block(&mut self, mark: Mark, before: Option<usize>, kind: TokenKind<'t>) -> Result<(), Problem> {
        let column = mark.column as isize;
        if self.in_flow() || self.indent >= column {
            return Ok(());
        }
        self.outer_indents.push(self.indent);
        self.indent = column;
        if self.outer_indents.len() > MAX_DEPTH {
            return Err(self.problem("exceeded max depth of 10000"));
        }
        self.insert(before.unwrap_or(usize::MAX), kind, mark);
        Ok(())
    }

    /// Closes the block collections that are further in than `column`.
    fn close_blocks(&mut self, column: isize) {
        if self.in_flow() {
            return;
        }
        while self.indent > column {
            self.push(TokenKind::BlockEnd, self.cursor.mark);
            self.indent = self.outer_indents.pop().unwrap_or(-1);
        }
    }

    fn save_candidate(&mut self) -> Result<(), Problem> {
        if !self.key_allowed {
            return Ok(());
        }
        let required = !self.in_flow() && self.indent == self.column();
        let token = self.taken + self.queue.len();
        self.drop_candidate()?;
        let level = self.candidates.len() - 1;
        self.candidates[level] = Candidate {
            possible: true,
            required,
            token,
            mark: self.cursor.mark,
        };
        self.candidate_at.insert(token, level);
        Ok(())
    }

    fn drop_candidate(&mut self) -> Result<(), Problem> {
        let level = self.candidates.len() - 1;
        let candidate = self.candidates[level];
        if candidate.possible {
            if candidate.required {
                return Err(self.problem("could not find expected ':'"));
            }
            self.candidates[level].possible = false;
            self.candidate_at.remove(&candidate.token);
        }
        Ok(())
    }

    /// Can this candidate still become a key? It must be on this line and not too far back.
    fn is_valid_candidate(&mut self, level: usize) -> Result<bool, Problem> {
        let Some(&candidate) = self.candidates.get(level).filter(|candidate| candidate.possible) else {
            return Ok(false);
        };
        let mark = self.cursor.mark;
        if candidate.mark.line >= mark.line && candidate.mark.index + MAX_KEY_LENGTH >= mark.index {
            return Ok(true);
        }
        if candidate.required {
            return Err(self.problem("could not find expected ':'"));
        }
        self.candidates[level].possible = false;
        Ok(false)
    }
}
