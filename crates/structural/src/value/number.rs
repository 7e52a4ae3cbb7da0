//! Bounds, `multipleOf` and the range of a type. Knows numbers as Go holds them, not their place.

use std::fmt;

use kindsmith_gostd::float;
use kindsmith_gostd::strconv;

use super::types::is_whole;

/// Constraints on a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Number {
    pub(super) range: Range,
    pub(super) multiple_of: Option<Bound>,
    pub(super) minimum: Option<Bound>,
    pub(super) maximum: Option<Bound>,
}

/// The numbers that fit type and format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Range {
    /// All of them.
    Any,
    /// `integer` with format `int32`.
    Int32,
    /// `integer` with format `int64`.
    Int64,
    /// `integer` without format.
    Integer,
    /// `number` with format `float`.
    Float32,
}

/// A limit; the bits of a float.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Bound {
    bits: u64,
    exclusive: bool,
    /// Whether the limit itself is in range; if not, every value fails.
    fits: bool,
}

/// A number as untyped Go data holds it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum GoNumber {
    Int(i64),
    Float(f64),
}

/// An error of a number, or of a limit.
#[derive(Debug, Clone, Copy)]
pub(crate) enum NumberFault {
    /// The value, or the named limit, is out of range.
    Range(&'static str, Range),
    /// `multipleOf` is not positive after conversion.
    Factor(GoNumber),
    NotMultiple {
        value: GoNumber,
        of: GoNumber,
    },
    TooSmall {
        value: GoNumber,
        limit: GoNumber,
        exclusive: bool,
    },
    TooLarge {
        value: GoNumber,
        limit: GoNumber,
        exclusive: bool,
    },
}

impl Range {
    pub(super) fn of(types: &super::types::Types) -> Self {
        Self::named(types.single(), &types.format)
    }

    /// The range of a type, if there is exactly one, with a format.
    pub(crate) fn named(ty: Option<&str>, format: &str) -> Self {
        match (ty, format) {
            (Some("integer"), "int32") => Self::Int32,
            (Some("integer"), "int64") => Self::Int64,
            (Some("integer"), _) => Self::Integer,
            (Some("number"), "float") => Self::Float32,
            _ => Self::Any,
        }
    }

    /// Its name in messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Int32 => "integer with format int32",
            Self::Int64 => "integer with format int64",
            Self::Float32 => "number with format float",
            Self::Integer | Self::Any => "integer (default format)",
        }
    }

    #[inline]
    /// Whether the decimal text of the number reads back in the range (`IsValueValidAgainstRange`).
    fn holds(self, number: GoNumber) -> bool {
        let bits = match self {
            Self::Any => return true,
            Self::Float32 => return fits_f32(number),
            Self::Int32 => 32,
            Self::Int64 | Self::Integer => 64,
        };
        match number {
            GoNumber::Int(int) => bits == 64 || i32::try_from(int).is_ok(),
            // In this range the decimal text has all digits.
            GoNumber::Float(float) if float.abs() < 1e15 => {
                let int = float as i64;
                int as f64 == float && (bits == 64 || i32::try_from(int).is_ok())
            }
            GoNumber::Float(float) if float.fract() != 0.0 => false,
            GoNumber::Float(float) => strconv::parse_int(&float::format_f64_plain(float), 10, bits).is_ok(),
        }
    }
}

fn fits_f32(number: GoNumber) -> bool {
    match number {
        GoNumber::Int(_) => true,
        GoNumber::Float(float) if float.abs() <= f64::from(f32::MAX) => true,
        GoNumber::Float(float) => strconv::parse_f32(&float::format_f64_plain(float)).is_ok(),
    }
}

impl Bound {
    fn new(limit: f64, exclusive: bool, range: Range) -> Self {
        Self {
            bits: limit.to_bits(),
            exclusive,
            fits: range.holds(GoNumber::Float(limit)),
        }
    }

    fn limit(self) -> f64 {
        f64::from_bits(self.bits)
    }

    /// Value and limit as they are compared: as integers, with the limit truncated, or both as floats.
    fn operands(self, value: GoNumber) -> (GoNumber, GoNumber) {
        match value {
            GoNumber::Int(_) if self.fits => (value, GoNumber::Int(cut(self.limit()))),
            _ => (GoNumber::Float(value.as_f64()), GoNumber::Float(self.limit())),
        }
    }
}

/// Go's conversion to `int64`; on the reference's machine, a value out of range becomes the smallest integer.
pub(super) fn cut(float: f64) -> i64 {
    const LIMIT: f64 = (1_u64 << 63) as f64;
    if (-LIMIT..LIMIT).contains(&float) {
        float as i64
    } else {
        i64::MIN
    }
}

/// As Go prints it.
impl fmt::Display for GoNumber {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(int) => int.fmt(out),
            Self::Float(float) => out.write_str(&float::format_f64(*float)),
        }
    }
}

impl GoNumber {
    fn as_f64(self) -> f64 {
        match self {
            Self::Int(int) => int as f64,
            Self::Float(float) => float,
        }
    }

    fn compare(self, other: Self) -> Option<std::cmp::Ordering> {
        match (self, other) {
            (Self::Int(left), Self::Int(right)) => Some(left.cmp(&right)),
            _ => self.as_f64().partial_cmp(&other.as_f64()),
        }
    }
}

impl Number {
    /// The checks of a range and limits; each limit with whether it is exclusive.
    pub(crate) fn new(
        range: Range,
        multiple_of: Option<f64>,
        minimum: Option<(f64, bool)>,
        maximum: Option<(f64, bool)>,
    ) -> Self {
        let bound = |(limit, exclusive)| Bound::new(limit, exclusive, range);
        Self {
            range,
            multiple_of: multiple_of.map(|of| bound((of, false))),
            minimum: minimum.map(bound),
            maximum: maximum.map(bound),
        }
    }

    /// Whether every number passes.
    pub(super) fn is_empty(&self) -> bool {
        self.range == Range::Any
            && self.multiple_of.is_none()
            && self.minimum.is_none()
            && self.maximum.is_none()
    }

    /// Whether an integer passes the simple checks.
    pub(super) fn is_fine(&self, int: i64) -> bool {
        let above = |bound: &Bound| {
            if bound.exclusive {
                int > cut(bound.limit())
            } else {
                int >= cut(bound.limit())
            }
        };
        let below = |bound: &Bound| {
            if bound.exclusive {
                int < cut(bound.limit())
            } else {
                int <= cut(bound.limit())
            }
        };
        self.multiple_of.is_none()
            && self.range.holds(GoNumber::Int(int))
            && self
                .minimum
                .as_ref()
                .is_none_or(|bound| bound.fits && above(bound))
            && self
                .maximum
                .as_ref()
                .is_none_or(|bound| bound.fits && below(bound))
    }

    /// Reports what `numberValidator.Validate` (kube-openapi, validate/validator.go) finds, in its order.
    pub(crate) fn faults(&self, value: GoNumber, mut report: impl FnMut(NumberFault)) {
        if !self.range.holds(value) {
            report(NumberFault::Range("Checked", self.range));
        }
        if let Some(bound) = self.multiple_of {
            self.check_fit("MultipleOf", bound, &mut report);
            let (value, of) = bound.operands(value);
            match multiple(value, of) {
                Some(true) => {}
                Some(false) => report(NumberFault::NotMultiple { value, of }),
                None => report(NumberFault::Factor(of)),
            }
        }
        if let Some(bound) = self.minimum {
            self.check_fit("Minimum boundary", bound, &mut report);
            let (value, limit) = bound.operands(value);
            let exclusive = bound.exclusive;
            if value
                .compare(limit)
                .is_some_and(|order| order.is_lt() || (exclusive && order.is_eq()))
            {
                report(NumberFault::TooSmall {
                    value,
                    limit,
                    exclusive,
                });
            }
        }
        if let Some(bound) = self.maximum {
            self.check_fit("Maximum boundary", bound, &mut report);
            let (value, limit) = bound.operands(value);
            let exclusive = bound.exclusive;
            if value
                .compare(limit)
                .is_some_and(|order| order.is_gt() || (exclusive && order.is_eq()))
            {
                report(NumberFault::TooLarge {
                    value,
                    limit,
                    exclusive,
                });
            }
        }
    }

    fn check_fit(&self, what: &'static str, bound: Bound, report: &mut impl FnMut(NumberFault)) {
        if !bound.fits {
            report(NumberFault::Range(what, self.range));
        }
    }
}

/// Whether the value is a multiple; `None` when the factor is not positive.
fn multiple(value: GoNumber, of: GoNumber) -> Option<bool> {
    match (value, of) {
        (GoNumber::Int(value), GoNumber::Int(of)) => (of > 0).then(|| value % of == 0),
        _ => {
            let (value, of) = (value.as_f64(), of.as_f64());
            let times = if of < 1.0 { 1.0 / of * value } else { value / of };
            (of > 0.0).then(|| is_whole(times))
        }
    }
}
