//! Ranges of sizes and costs with saturating arithmetic.

/// The least and the most elements, characters or bytes a value may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub struct SizeEstimate {
    pub min: u64,
    pub max: u64,
}

/// The least and the most an evaluation may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub struct CostEstimate {
    pub min: u64,
    pub max: u64,
}

/// A cost known exactly.
pub(super) fn fixed_cost(cost: u64) -> CostEstimate {
    CostEstimate { min: cost, max: cost }
}

/// `n * factor` rounded up, computed in floating point as the reference does.
pub(super) fn scale(n: u64, factor: f64) -> u64 {
    let n = n as f64;
    let limit = u64::MAX as f64;
    if n > 0.0 && factor > 0.0 && n > limit / factor {
        return u64::MAX;
    }
    let scaled = (n * factor).ceil();
    if scaled >= limit { u64::MAX } else { scaled as u64 }
}

impl SizeEstimate {
    /// Nothing is known.
    pub const UNKNOWN: SizeEstimate = SizeEstimate {
        min: 0,
        max: u64::MAX,
    };

    /// A size known exactly.
    pub fn fixed(size: u64) -> SizeEstimate {
        SizeEstimate { min: size, max: size }
    }

    pub(super) fn add(self, other: SizeEstimate) -> SizeEstimate {
        SizeEstimate {
            min: self.min.saturating_add(other.min),
            max: self.max.saturating_add(other.max),
        }
    }

    pub(super) fn multiply(self, other: SizeEstimate) -> SizeEstimate {
        SizeEstimate {
            min: self.min.saturating_mul(other.min),
            max: self.max.saturating_mul(other.max),
        }
    }

    pub(super) fn times(self, factor: f64) -> CostEstimate {
        CostEstimate {
            min: scale(self.min, factor),
            max: scale(self.max, factor),
        }
    }

    pub(super) fn times_cost(self, cost: CostEstimate) -> CostEstimate {
        CostEstimate {
            min: self.min.saturating_mul(cost.min),
            max: self.max.saturating_mul(cost.max),
        }
    }

    pub(super) fn union(self, other: SizeEstimate) -> SizeEstimate {
        SizeEstimate {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }
}

impl CostEstimate {
    pub(super) fn add(self, other: CostEstimate) -> CostEstimate {
        CostEstimate {
            min: self.min.saturating_add(other.min),
            max: self.max.saturating_add(other.max),
        }
    }

    pub(super) fn multiply(self, other: CostEstimate) -> CostEstimate {
        CostEstimate {
            min: self.min.saturating_mul(other.min),
            max: self.max.saturating_mul(other.max),
        }
    }

    pub(super) fn times(self, factor: f64) -> CostEstimate {
        CostEstimate {
            min: scale(self.min, factor),
            max: scale(self.max, factor),
        }
    }

    pub(super) fn union(self, other: CostEstimate) -> CostEstimate {
        CostEstimate {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }
}
