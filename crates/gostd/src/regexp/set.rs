//! Sets of code points, built from ranges. Knows no syntax.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir};

use super::unicode::folding::fold_range;

pub(super) const MAX_RUNE: u32 = 0x10_ffff;
const SURROGATES: std::ops::RangeInclusive<u32> = 0xd800..=0xdfff;

/// A set of code points. It may contain surrogates, although no text does.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RuneSet {
    ranges: Vec<(u32, u32)>,
}

impl RuneSet {
    pub(super) fn full() -> Self {
        RuneSet {
            ranges: vec![(0, MAX_RUNE)],
        }
    }

    /// Builds a set from pairs of first and last code points.
    pub(super) fn from_pairs(pairs: &[u32]) -> Self {
        let mut set = RuneSet::default();
        set.add_pairs(pairs);
        set
    }

    pub(super) fn add_pairs(&mut self, pairs: &[u32]) {
        self.ranges
            .extend(pairs.chunks_exact(2).map(|pair| (pair[0], pair[1])));
    }

    pub(super) fn add(&mut self, lo: u32, hi: u32) {
        self.ranges.push((lo, hi));
    }

    pub(super) fn add_folded(&mut self, lo: u32, hi: u32) {
        fold_range(lo, hi, |lo, hi| self.ranges.push((lo, hi)));
    }

    pub(super) fn add_set(&mut self, other: &RuneSet) {
        self.ranges.extend_from_slice(&other.ranges);
    }

    /// The set plus everything that folds to a member.
    pub(super) fn folded(&self) -> Self {
        let mut set = RuneSet::default();
        for &(lo, hi) in &self.ranges {
            set.add_folded(lo, hi);
        }
        set.normalized()
    }

    /// The same set as sorted ranges that do not touch.
    pub(super) fn normalized(mut self) -> Self {
        self.ranges.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(self.ranges.len());
        for (lo, hi) in self.ranges {
            match merged.last_mut() {
                Some(last) if lo <= last.1.saturating_add(1) => last.1 = last.1.max(hi),
                _ => merged.push((lo, hi)),
            }
        }
        RuneSet { ranges: merged }
    }

    pub(super) fn negated(self) -> Self {
        let mut ranges = Vec::new();
        let mut next = 0;
        for (lo, hi) in self.normalized().ranges {
            if next < lo {
                ranges.push((next, lo - 1));
            }
            next = hi + 1;
        }
        if next <= MAX_RUNE {
            ranges.push((next, MAX_RUNE));
        }
        RuneSet { ranges }
    }

    /// How many ranges the set has.
    pub(super) fn len(&self) -> usize {
        self.ranges.len()
    }

    pub(super) fn to_hir(&self) -> Hir {
        let mut class = ClassUnicode::empty();
        for &(lo, hi) in &self.ranges {
            for (lo, hi) in [
                (lo, hi.min(SURROGATES.start() - 1)),
                (lo.max(SURROGATES.end() + 1), hi),
            ] {
                let ends = (char::from_u32(lo), char::from_u32(hi));
                if let (true, (Some(lo), Some(hi))) = (lo <= hi, ends) {
                    class.push(ClassUnicodeRange::new(lo, hi));
                }
            }
        }
        Hir::class(Class::Unicode(class))
    }
}
