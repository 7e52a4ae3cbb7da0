//! Ranges of sizes and costs. Sums and products saturate.

use super::charge::Amount;

/// The smallest and the largest size or cost that is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub struct Range {
    pub min: u64,
    pub max: u64,
}

impl Range {
    /// Nothing is known.
    pub const UNKNOWN: Range = Range::up_to(u64::MAX);

    /// The range from zero to `max`.
    pub const fn up_to(max: u64) -> Range {
        Range { min: 0, max }
    }

    /// The smallest range that holds both.
    #[must_use]
    pub fn union(self, other: Range) -> Range {
        Range {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// The smallest range that holds all; zero if there are none.
    pub fn union_all(ranges: impl IntoIterator<Item = Range>) -> Range {
        ranges.into_iter().reduce(Range::union).unwrap_or_default()
    }

    fn each(self, other: Range, combine: fn(u64, u64) -> u64) -> Range {
        Range {
            min: combine(self.min, other.min),
            max: combine(self.max, other.max),
        }
    }
}

impl Amount for Range {
    fn exactly(amount: u64) -> Range {
        Range {
            min: amount,
            max: amount,
        }
    }

    fn plus(self, other: Range) -> Range {
        self.each(other, u64::saturating_add)
    }

    fn times(self, other: Range) -> Range {
        self.each(other, u64::saturating_mul)
    }

    fn scaled(self, factor: f64) -> Range {
        Range {
            min: self.min.scaled(factor),
            max: self.max.scaled(factor),
        }
    }
}
