//! Runs a program over a text: all threads at once, in order of preference.

use std::ops::Range;

use regex_syntax::hir::Look;

use super::{Program, Step};

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Stop {
    /// Stop at any match.
    AtFirst,
    /// Find the preferred match.
    AtBest,
}

/// The threads at one position of the text, each with the start of its match.
struct Threads {
    list: Vec<(u32, usize)>,
    /// For each step, the position at which it was last added, so that it is not added twice.
    seen: Vec<usize>,
}

pub(super) fn find(program: &Program, text: &str, from: usize, stop: Stop) -> Option<Range<usize>> {
    let new = || Threads {
        list: Vec::new(),
        seen: vec![usize::MAX; program.steps.len()],
    };
    let (mut current, mut next) = (new(), new());
    let mut pending = Vec::new();
    let mut best = None;
    let mut place = Place::at(text, from);
    loop {
        if best.is_none() {
            current.add(program, &mut pending, 0, place.at, &place);
        }
        if best.is_some() && current.list.is_empty() {
            return best;
        }
        let after = place.advanced(text);
        for (step, start) in current.list.drain(..) {
            let matched = match program.steps[step as usize] {
                Step::Char(c) => place.next == Some(c),
                Step::Class(class) => place.next.is_some_and(|c| program.contains(class, c)),
                Step::Match => {
                    best = Some(start..place.at);
                    // Threads after this one are less preferred.
                    break;
                }
                _ => false,
            };
            if let (true, Some(after)) = (matched, &after) {
                next.add(program, &mut pending, step + 1, start, after);
            }
        }
        if best.is_some() && stop == Stop::AtFirst {
            return best;
        }
        let Some(after) = after else {
            return best;
        };
        place = after;
        std::mem::swap(&mut current, &mut next);
    }
}

impl Program {
    fn contains(&self, class: u32, c: char) -> bool {
        let ranges = &self.classes[class as usize];
        let after = ranges.partition_point(|&(first, _)| first <= c);
        after > 0 && c <= ranges[after - 1].1
    }
}

impl Threads {
    /// Adds a step and all that follow it without consuming a character.
    fn add(&mut self, program: &Program, pending: &mut Vec<u32>, step: u32, start: usize, place: &Place) {
        pending.push(step);
        while let Some(step) = pending.pop() {
            let seen = &mut self.seen[step as usize];
            if *seen == place.at {
                continue;
            }
            *seen = place.at;
            match program.steps[step as usize] {
                Step::Jump(target) => pending.push(target),
                Step::Split(first, second) => pending.extend([second, first]),
                Step::Look(look) if place.satisfies(look) => pending.push(step + 1),
                Step::Look(_) | Step::Fail => {}
                Step::Char(_) | Step::Class(_) | Step::Match => self.list.push((step, start)),
            }
        }
    }
}

/// A position between two characters.
struct Place {
    at: usize,
    previous: Option<char>,
    next: Option<char>,
}

impl Place {
    fn at(text: &str, at: usize) -> Self {
        Place {
            at,
            previous: text[..at].chars().next_back(),
            next: text[at..].chars().next(),
        }
    }

    fn advanced(&self, text: &str) -> Option<Place> {
        let previous = self.next?;
        let at = self.at + previous.len_utf8();
        Some(Place {
            at,
            previous: Some(previous),
            next: text[at..].chars().next(),
        })
    }

    /// Go's syntax yields only these assertions.
    fn satisfies(&self, look: Look) -> bool {
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
        let boundary = is_word(self.previous) != is_word(self.next);
        match look {
            Look::Start => self.previous.is_none(),
            Look::End => self.next.is_none(),
            Look::StartLF => matches!(self.previous, None | Some('\n')),
            Look::EndLF => matches!(self.next, None | Some('\n')),
            Look::WordAscii => boundary,
            Look::WordAsciiNegate => !boundary,
            _ => false,
        }
    }
}
