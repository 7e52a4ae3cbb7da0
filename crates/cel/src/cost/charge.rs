//! The interpreter of cost rules: what a call charges, given its operands.
//!
//! It serves estimates, where sizes are ranges, and running programs, where they are numbers. It knows neither
//! expressions nor values: those are behind [`Operands`].

use super::rule::{Observation, Term};

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

/// The operands of a call, the target of a method first.
pub(crate) trait Operands {
    type Amount: Amount;
    /// Why there may be no charge.
    type Halt;

    /// The size of an operand; one for what has no size.
    fn size(&self, operand: usize) -> Self::Amount;
    /// The number of elements of a list.
    fn elements(&self, operand: usize) -> Self::Amount;
    /// The number of bytes of an IP address or of the prefix of a CIDR.
    fn address(&self, operand: usize) -> Self::Amount;
    /// The size of the result.
    fn result(&self) -> Result<Self::Amount, Self::Halt>;
    /// How many levels of lists `flatten` removes.
    fn depth(&mut self) -> Result<f64, Self::Halt>;
    /// A charge that follows from more than sizes.
    fn observe(&mut self, what: Observation) -> Result<Self::Amount, Self::Halt>;
}

/// What a call charges by a rule.
pub(crate) fn charge<O: Operands>(term: &Term, operands: &mut O) -> Result<O::Amount, O::Halt> {
    Ok(match *term {
        Term::Units(units) => O::Amount::exactly(units),
        Term::Size(operand) => operands.size(operand),
        Term::Elements(operand) => operands.elements(operand),
        Term::Address(operand) => operands.address(operand),
        Term::Result => operands.result()?,
        Term::Scaled(term, factor) => charge(term, operands)?.scaled(factor),
        Term::TimesDepth(term) => {
            let depth = operands.depth()?;
            charge(term, operands)?.scaled(depth)
        }
        Term::Sum([first, second]) => charge(first, operands)?.plus(charge(second, operands)?),
        Term::Product([first, second]) => charge(first, operands)?.times(charge(second, operands)?),
        Term::Observed(what) => operands.observe(what)?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::range::Range;
    use super::*;

    #[test]
    fn scaling_rounds_up_and_saturates() {
        assert_eq!(11.scaled(0.1), 2);
        assert_eq!(0.scaled(0.1), 0);
        assert_eq!(u64::MAX.scaled(2.0), u64::MAX);
        assert_eq!(Range::UNKNOWN.scaled(1.0), Range::UNKNOWN);
    }
}
