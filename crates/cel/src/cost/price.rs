//! The vocabulary of the cost table.

use super::amount::Range;

/// The cost of a variable or field access.
pub(crate) const IDENT_COST: u64 = 1;
/// The cost of making a list.
pub(crate) const LIST_COST: u64 = 10;
/// The cost of making a map.
pub(crate) const MAP_COST: u64 = 30;
/// The cost of making a message.
pub(crate) const STRUCT_COST: u64 = 40;
/// The cost of looking at one character.
pub(crate) const STRING_FACTOR: f64 = 0.1;
/// The cost of one character of a pattern.
pub(crate) const REGEX_FACTOR: f64 = 0.25;

/// A formula for what a call charges. Operands are counted from the target of a method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Term {
    Units(u64),
    /// The size of an operand.
    Size(usize),
    /// The size of an operand plus one.
    SizeAndOne(usize),
    /// The number of elements of a list.
    Elements(usize),
    /// The number of bytes of an IP address or of the prefix of a CIDR.
    Address(usize),
    /// The size of the result.
    Result,
    /// Multiplied by a factor and rounded up.
    Scaled(&'static Term, f64),
    /// Multiplied by the depth that `flatten` is given.
    TimesDepth(&'static Term),
    Sum(&'static [Term; 2]),
    Product(&'static [Term; 2]),
    Observed(Observation),
}

/// A charge that follows from more than sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Observation {
    /// Comparing the first two operands: the smaller size decides.
    Comparison,
    /// Like a comparison; library types have their own costs.
    Equality,
    /// One visit to everything in the first operand. The factor is the estimate for an entry of unknown type.
    Traversal(f64),
    /// Compares every element of a list with every other and makes a list.
    SelfComparison(usize),
    /// Matches a text against the pattern of a named format.
    NamedFormat,
}

/// The size of a result, for estimates.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ResultSize {
    Unknown,
    /// Same as that of an operand, with its entries.
    Same(usize),
    /// Same as that of one of two operands, with the entries of either.
    Either(usize, usize),
    /// The sum of the first two operands, with the entries of both.
    Both,
    /// Same as that of an entry of the first operand.
    Entry,
    /// A function of the size of an operand.
    From(usize, fn(Range) -> Range),
    /// The size of an operand multiplied by itself.
    Square(usize),
    /// The difference between the bounds of `slice`.
    Slice,
    /// The argument of `lists.range`.
    Count,
    /// The parts of a text, at most as many as the call allows.
    Parts,
    /// Strings joined with separators between them.
    Joined,
    /// A text with other texts replaced.
    Replaced,
}

/// Which operands are evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Evaluates {
    All,
    /// The second only if the first does not decide.
    FirstOrBoth,
    /// The first, then one of the others.
    OneBranch,
}

/// What is known about the cost of a function or overload.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    pub(crate) evaluates: Evaluates,
    /// The charge at run time.
    pub(crate) run: Term,
    /// The charge in estimates, most often the same formula.
    pub(crate) estimate: Term,
    pub(crate) result: ResultSize,
}

impl Rule {
    /// A rule that charges the same in estimates and at run time.
    pub(crate) const fn new(charge: Term) -> Rule {
        Rule {
            evaluates: Evaluates::All,
            run: charge,
            estimate: charge,
            result: ResultSize::Unknown,
        }
    }

    pub(crate) const fn estimated(self, estimate: Term) -> Rule {
        Rule { estimate, ..self }
    }

    pub(crate) const fn sized(self, result: ResultSize) -> Rule {
        Rule { result, ..self }
    }

    pub(crate) const fn evaluating(self, evaluates: Evaluates) -> Rule {
        Rule { evaluates, ..self }
    }
}
