//! The canonical text of a quantity: no precision lost, no fraction, the largest suffix that fits
//! (`Quantity.CanonicalizeBytes`).

use super::{Amount, Format, Quantity, suffix};

pub(super) fn text(quantity: &Quantity) -> String {
    if quantity.sign() == 0 {
        return "0".to_owned();
    }
    match quantity.format {
        Format::BinarySi => binary(quantity).unwrap_or_else(|| decimal(quantity, Format::DecimalSi)),
        format => decimal(quantity, format),
    }
}

/// Small or fractional values are not written with binary suffixes.
fn binary(quantity: &Quantity) -> Option<String> {
    let bound = Quantity::from_int(1024, Format::BinarySi);
    let negative_bound = Quantity::from_int(-1024, Format::BinarySi);
    if *quantity > negative_bound && *quantity < bound {
        return None;
    }
    let (rounded, exact) = quantity.decimal().round_up(0);
    if !exact {
        return None;
    }
    // Upstream's 64-bit and big forms differ only for values within the bound.
    let (digits, times) = rounded.without_factors_of_1024();
    Some(digits + &suffix::construct(Format::BinarySi, times * 10))
}

fn decimal(quantity: &Quantity, format: Format) -> String {
    let (mut digits, mut exponent) = match &quantity.amount {
        Amount::Big(decimal) => decimal.parts(),
        Amount::Small { .. } => quantity.decimal().parts(),
    };
    let shift = exponent.rem_euclid(3);
    digits.extend(std::iter::repeat_n('0', shift as usize));
    exponent -= shift;
    digits + &suffix::construct(format, exponent)
}
