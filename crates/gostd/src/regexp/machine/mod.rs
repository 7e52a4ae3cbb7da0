//! A simple machine for expressions that repeat large Unicode classes often.
//!
//! The fast engine works on bytes and needs a second and a hundred megabytes to compile such expressions. This machine
//! works on characters, like Go's: it compiles at once and matches in time proportional to text times expression.

mod compile;
mod search;

use std::ops::Range;

use regex_syntax::hir::{Hir, Look};

/// A compiled expression.
#[derive(Debug)]
pub(super) struct Program {
    steps: Vec<Step>,
    classes: Vec<Vec<(char, char)>>,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Char(char),
    /// An index into the classes.
    Class(u32),
    Look(Look),
    Jump(u32),
    /// Two next steps, the preferred one first.
    Split(u32, u32),
    /// Nothing matches here.
    Fail,
    Match,
}

impl Program {
    pub(super) fn new(hir: &Hir) -> Self {
        compile::compile(hir)
    }

    /// Reports whether anything matches.
    pub(super) fn is_match(&self, text: &str) -> bool {
        search::find(self, text, 0, search::Stop::AtFirst).is_some()
    }

    /// Finds the leftmost match that starts at `from` or later.
    pub(super) fn find(&self, text: &str, from: usize) -> Option<Range<usize>> {
        search::find(self, text, from, search::Stop::AtBest)
    }

    /// Finds successive matches; an empty match right after another match is skipped.
    pub(super) fn find_all(&self, text: &str, limit: usize) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        let mut from = 0;
        while found.len() < limit && from <= text.len() {
            let Some(range) = self.find(text, from) else {
                break;
            };
            from = range.end;
            if range.is_empty() {
                from += text[range.end..].chars().next().map_or(1, char::len_utf8);
                if found.last().is_some_and(|last| last.end == range.end) {
                    continue;
                }
            }
            found.push(range);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quote::unquote;
    use crate::regexp::parser;

    fn field(literal: &str) -> String {
        let bytes = unquote(literal).expect("every field is a Go string literal");
        String::from_utf8(bytes).expect("this table holds only texts")
    }

    #[test]
    fn finds_the_same_matches_as_go() {
        let mut cases = 0;
        for line in include_str!("../../../tests/data/regexp.tsv").lines() {
            let row: Vec<_> = line.split('\t').map(field).collect();
            if row[1] != "ok" {
                continue;
            }
            let program = Program::new(&parser::parse(&row[0]).expect("Go accepts it").hir);
            for pair in row[2..].chunks_exact(2) {
                let found = program.find_all(&pair[0], usize::MAX);
                let shown: Vec<_> = found
                    .iter()
                    .map(|range| format!("{}-{}", range.start, range.end))
                    .collect();
                assert_eq!(shown.join(" "), pair[1], "{} on {:?}", row[0], pair[0]);
                assert_eq!(
                    program.is_match(&pair[0]),
                    !found.is_empty(),
                    "{} on {:?}",
                    row[0],
                    pair[0]
                );
                cases += 1;
            }
        }
        assert!(cases > 2000, "only {cases} cases");
    }
}
