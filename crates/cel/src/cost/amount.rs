//! Sizes and costs: numbers at run time, ranges in estimates. Sums and products saturate.

/// A size or cost: a number at run time, a range in estimates.
pub(crate) trait Amount: Copy {
    fn exactly(amount: u64) -> Self;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// Multiplied and rounded up.
    fn scaled(self, factor: f64) -> Self;
}

impl Amount for u64 {
    #[inline]
    fn exactly(amount: u64) -> u64 {
        amount
    }

    #[inline]
    fn plus(self, other: u64) -> u64 {
        self.saturating_add(other)
    }

    #[inline]
    fn times(self, other: u64) -> u64 {
        self.saturating_mul(other)
    }

    #[inline]
    fn scaled(self, factor: f64) -> u64 {
        // The conversion saturates.
        (self as f64 * factor).ceil() as u64
    }
}

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
    pub(crate) const fn up_to(max: u64) -> Range {
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
    pub(crate) fn union_all(ranges: impl IntoIterator<Item = Range>) -> Range {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaling_rounds_up_and_saturates() {
        assert_eq!(11.scaled(0.1), 2);
        assert_eq!(0.scaled(0.1), 0);
        assert_eq!(u64::MAX.scaled(2.0), u64::MAX);
        assert_eq!(Range::UNKNOWN.scaled(1.0), Range::UNKNOWN);
    }
}
