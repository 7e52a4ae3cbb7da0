//! The interpreter of cost rules: what a call charges, given its operands.
//!
//! It serves estimates, where sizes are ranges, and running programs, where they are numbers. It knows neither
//! expressions nor values: those are behind [`Operands`].

use super::amount::Amount;
use super::price::{Observation, Term};

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
        Term::Result => operands.result()?,
        Term::Scaled(term, factor) => part(term, operands)?.scaled(factor),
        Term::TimesDepth(term) => {
            let depth = operands.depth()?;
            part(term, operands)?.scaled(depth)
        }
        Term::Sum([first, second]) => part(first, operands)?.plus(part(second, operands)?),
        Term::Product([first, second]) => part(first, operands)?.times(part(second, operands)?),
        Term::Observed(what) => operands.observe(what)?,
        Term::Units(units) => O::Amount::exactly(units),
        Term::Size(operand) => operands.size(operand),
        Term::SizeAndOne(operand) => operands.size(operand).plus(O::Amount::exactly(1)),
        Term::Elements(operand) => operands.elements(operand),
        Term::Address(operand) => operands.address(operand),
    })
}

/// A part of a formula. Most are scaled sizes, which running programs compute without a further call.
#[inline(always)]
fn part<O: Operands>(term: &Term, operands: &mut O) -> Result<O::Amount, O::Halt> {
    Ok(match *term {
        Term::Size(operand) => operands.size(operand),
        Term::Scaled(Term::Size(operand), factor) => operands.size(*operand).scaled(factor),
        Term::Scaled(Term::SizeAndOne(operand), factor) => {
            operands.size(*operand).plus(O::Amount::exactly(1)).scaled(factor)
        }
        _ => charge(term, operands)?,
    })
}
