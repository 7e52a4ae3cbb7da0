//! Whether an expression matches every text that another one matches. Go's expressions have no look-around, so both are
//! finite automata, which are walked side by side.

use std::collections::HashSet;

use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::nfa::thompson::{self, WhichCaptures};
use regex_automata::util::primitives::StateID;
use regex_automata::{Input, MatchKind};
use regex_syntax::hir::Hir;

use super::Regexp;

/// The maximum number of bytes of an automaton, and of what it is made from.
const MEMORY_LIMIT: usize = 2 << 20;
/// The maximum number of pairs of states to visit.
const MANY_PAIRS: usize = 50_000;

impl Regexp {
    /// Whether every text that matches this expression matches the other one too; `None` if that would take too long to find
    /// out.
    pub fn implies(&self, other: &Regexp) -> Option<bool> {
        let (ours, theirs) = (automaton(self)?, automaton(other)?);
        let bytes = representatives(&ours, &theirs);
        let mut pending = vec![Pair {
            ours: start(&ours)?,
            theirs: start(&theirs)?,
            is_matched: false,
            utf8: BOUNDARY,
        }];
        let mut seen: HashSet<Pair> = pending.iter().copied().collect();
        while let Some(pair) = pending.pop() {
            if pair.utf8 == BOUNDARY && is_counterexample(&ours, &theirs, pair)? {
                return Some(false);
            }
            for byte in &bytes {
                let Some(next) = pair.after(&ours, &theirs, *byte)? else {
                    continue;
                };
                if seen.insert(next) {
                    pending.push(next);
                }
            }
            if seen.len() > MANY_PAIRS {
                return None;
            }
        }
        Some(true)
    }
}

type Dfa = dense::DFA<Vec<u32>>;

/// Where the two automata are after the same text, in which theirs has found nothing yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Pair {
    ours: StateID,
    theirs: StateID,
    /// Whether ours has found a match.
    is_matched: bool,
    /// The state of the text as UTF-8.
    utf8: u8,
}

impl Pair {
    /// The pair after one more byte; inside, `None` if no text from there on matters.
    fn after(self, ours: &Dfa, theirs: &Dfa, byte: u8) -> Option<Option<Pair>> {
        let Some(utf8) = after(self.utf8, byte) else {
            return Some(None);
        };
        let next = Pair {
            ours: ours.next_state(self.ours, byte),
            theirs: theirs.next_state(self.theirs, byte),
            utf8,
            ..self
        };
        if ours.is_quit_state(next.ours) || theirs.is_quit_state(next.theirs) {
            return None;
        }
        let is_matched = self.is_matched || ours.is_match_state(next.ours);
        let is_lost = !is_matched && ours.is_dead_state(next.ours);
        let is_idle = is_lost || theirs.is_match_state(next.theirs);
        Some((!is_idle).then_some(Pair { is_matched, ..next }))
    }
}

/// Whether a text that ends here matches ours and not theirs.
fn is_counterexample(ours: &Dfa, theirs: &Dfa, pair: Pair) -> Option<bool> {
    let (end, other_end) = (ours.next_eoi_state(pair.ours), theirs.next_eoi_state(pair.theirs));
    if ours.is_quit_state(end) || theirs.is_quit_state(other_end) {
        return None;
    }
    let is_matched = pair.is_matched || ours.is_match_state(end);
    Some(is_matched && !theirs.is_match_state(other_end))
}

/// The automaton that searches for an expression; `None` if it is too large.
fn automaton(of: &Regexp) -> Option<Dfa> {
    let node = of.node();
    if !node.suits_automata() {
        return None;
    }
    let nfa = machine(&node.hir)?;
    let config = dense::Config::new()
        .match_kind(MatchKind::All)
        .start_kind(StartKind::Unanchored)
        .dfa_size_limit(Some(MEMORY_LIMIT))
        .determinize_size_limit(Some(MEMORY_LIMIT));
    dense::Builder::new().configure(config).build_from_nfa(&nfa).ok()
}

fn machine(hir: &Hir) -> Option<thompson::NFA> {
    let config = thompson::Config::new()
        .which_captures(WhichCaptures::None)
        .nfa_size_limit(Some(MEMORY_LIMIT));
    thompson::Compiler::new()
        .configure(config)
        .build_from_hir(hir)
        .ok()
}

fn start(dfa: &Dfa) -> Option<StateID> {
    dfa.start_state_forward(&Input::new("")).ok()
}

/// One byte of each kind that neither automaton nor UTF-8 tells apart.
fn representatives(ours: &Dfa, theirs: &Dfa) -> Vec<u8> {
    let mut seen = HashSet::new();
    let kind = |byte: u8| {
        let utf8: [Option<u8>; STATES as usize] = std::array::from_fn(|state| after(state as u8, byte));
        (
            ours.byte_classes().get(byte),
            theirs.byte_classes().get(byte),
            utf8,
        )
    };
    (0..=u8::MAX).filter(|byte| seen.insert(kind(*byte))).collect()
}

/// Between two characters.
const BOUNDARY: u8 = 0;
/// How many states the reading of a character has.
const STATES: u8 = 8;

/// The state of a text as UTF-8 after one more byte; `None` if it is not UTF-8. States 1 to 3 expect that many bytes,
/// the others the second byte of a character that begins with E0, ED, F0 or F4.
fn after(state: u8, byte: u8) -> Option<u8> {
    Some(match (state, byte) {
        (BOUNDARY, 0x00..=0x7f) => BOUNDARY,
        (BOUNDARY, 0xc2..=0xdf) => 1,
        (BOUNDARY, 0xe0) => 4,
        (BOUNDARY, 0xed) => 5,
        (BOUNDARY, 0xe1..=0xef) => 2,
        (BOUNDARY, 0xf0) => 6,
        (BOUNDARY, 0xf4) => 7,
        (BOUNDARY, 0xf1..=0xf3) => 3,
        (1, 0x80..=0xbf) => BOUNDARY,
        (2 | 3, 0x80..=0xbf) => state - 1,
        (4, 0xa0..=0xbf) | (5, 0x80..=0x9f) => 1,
        (6, 0x90..=0xbf) | (7, 0x80..=0x8f) => 2,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(one: &str, other: &str, expected: Option<bool>) {
        let [ours, theirs] = [one, other].map(|text| Regexp::new(text).expect("an expression"));
        assert_eq!(ours.implies(&theirs), expected, "{one} in {other}");
    }

    #[test]
    fn inclusion_is_decided() {
        for (narrow, wide) in [
            ("^[a-z]+$", "^[a-z0-9]+$"),
            ("^[a-z]([-a-z0-9]*[a-z0-9])?$", "^[-a-z0-9]+$"),
            ("^(a|b)c*$", "^[ab]c*$"),
            ("^a{1,3}$", "^a{1,5}$"),
            ("^abc", "abc"),
            ("abc", "b"),
            ("^[0-9]+$", "^\\d+$"),
            ("^é$", "^.$"),
            ("^x$", "^\\S*$"),
            ("\\bfoo\\b", "foo"),
            ("^(?i)ab$", "^[aA][bB]$"),
        ] {
            check(narrow, wide, Some(true));
        }
        for (wide, narrow) in [
            ("^[a-z0-9]+$", "^[a-z]+$"),
            ("abc", "^abc"),
            ("^.*$", "^[^\\n]+$"),
            ("", "a"),
            ("^.$", "^[\\x00-\\x7f]$"),
            ("^a{1,5}$", "^a{1,3}$"),
            ("foo", "\\bfoo\\b"),
        ] {
            check(wide, narrow, Some(false));
        }
    }

    #[test]
    fn the_same_language_written_twice() {
        for (one, other) in [
            ("^(ab)*$", "^((ab)(ab))*(ab)?$"),
            ("^a+$", "^aa*$"),
            ("(?s).", "(?s)^.+$"),
        ] {
            check(one, other, Some(true));
            check(other, one, Some(true));
        }
    }

    #[test]
    fn what_takes_too_long_is_not_decided() {
        let wide = "(a|b)*a(a|b){20}$";
        check(wide, wide, None);
        let deep = format!("{}a{}", "(?:".repeat(900), ")*".repeat(900));
        check(&deep, &deep, None);
    }
}
