//! The table of cost rules: what calls charge and how large their results are.
//!
//! An overload's own rule comes first, then that of its function; everything else costs one unit. The numbers are those
//! of cel-go and of Kubernetes' libraries (`apiserver/pkg/cel/library/cost.go`).

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::dialect::{Dialect, Feature};

use super::amount::Range;
use super::price::Observation::{Comparison, Equality, NamedFormat, SelfComparison, Traversal};
use super::price::ResultSize::{
    Both, Count, Either, Entry, From, Joined, Parts, Replaced, Same, Slice, Square,
};
use super::price::Term::{
    Address, Elements, Observed, Product, Result, Scaled, Size, SizeAndOne, Sum, TimesDepth, Units,
};
use super::price::{Evaluates, LIST_COST, REGEX_FACTOR, Rule, STRING_FACTOR, Term};

/// The rule of an overload, or else that of its function.
pub(crate) fn find(dialect: Dialect, function: &str, overload: &str) -> &'static Rule {
    let mut earlier = EARLIER.iter();
    let earlier = earlier.find(|(feature, names, _)| {
        !dialect.has(*feature) && names.split_whitespace().any(|name| name == overload)
    });
    if let Some((_, _, rule)) = earlier {
        return rule;
    }
    let (overloads, functions) = &*INDEX;
    overloads
        .get(overload)
        .or_else(|| functions.get(function))
        .unwrap_or(&&DEFAULT)
}

type Index = HashMap<&'static str, &'static Rule>;

static INDEX: LazyLock<(Index, Index)> = LazyLock::new(|| (index(OVERLOADS), index(FUNCTIONS)));

/// Names, separated by blanks, and the rule for all of them.
type Row = (&'static str, Rule);

fn index(table: &'static [Row]) -> Index {
    let rows = table.iter();
    rows.flat_map(|(names, rule)| names.split_whitespace().map(move |name| (name, rule)))
        .collect()
}

static DEFAULT: Rule = DEFAULT_RULE;
const DEFAULT_RULE: Rule = Rule::new(Units(1));

/// The cost of asking the authorizer.
const ACCESS_CHECK: u64 = 350_000;
/// The largest pattern of a named format, as far as estimates are concerned.
const MAX_FORMAT_PATTERN: f64 = 128.0;

/// Reading the text of an operand once.
const READ_FIRST: Term = Scaled(&Size(0), STRING_FACTOR);
const READ_SECOND: Term = Scaled(&Size(1), STRING_FACTOR);
const READ_TWICE: Term = Scaled(&Size(0), 2.0 * STRING_FACTOR);
/// Matches a text against a pattern; an empty text has a cost too.
const MATCH: Term = Product(&[
    Scaled(&SizeAndOne(0), STRING_FACTOR),
    Scaled(&Size(1), REGEX_FACTOR),
]);
/// A call that makes a list.
const NEW_LIST: Term = Units(1 + LIST_COST);
const RESULT_LIST: Term = Sum(&[Scaled(&Result, 1.0), NEW_LIST]);
/// Compares every element of one list with every element of the other.
const PAIRS: Term = Product(&[Elements(0), Elements(1)]);
/// Compares every element of a list with every other; texts cost a little more.
const SORT: Term = Sum(&[Scaled(&Product(&[Elements(0), Elements(0)]), 2.0), NEW_LIST]);
const SORT_TEXTS: Term = Sum(&[
    Scaled(&Product(&[Elements(0), Elements(0)]), 2.0 + STRING_FACTOR),
    NEW_LIST,
]);
const SORT_BY: Term = Sum(&[Scaled(&Product(&[Elements(1), Elements(1)]), 2.0), NEW_LIST]);
const SORT_BY_TEXTS: Term = Sum(&[
    Scaled(&Product(&[Elements(1), Elements(1)]), 2.0 + STRING_FACTOR),
    NEW_LIST,
]);
/// Comparing an address with a range.
const COMPARE_ADDRESS: Term = Scaled(&Sum(&[Address(0), Address(0)]), STRING_FACTOR);
const COMPARE_RANGE: Term = Sum(&[COMPARE_ADDRESS, COMPARE_PREFIX]);
const COMPARE_PREFIX: Term = Sum(&[Scaled(&Address(0), STRING_FACTOR), Units(1)]);
/// A selector is parsed, and may have a requirement for every second character.
const SELECTOR: Term = Sum(&[
    Sum(&[Units(10), READ_SECOND]),
    Scaled(&Scaled(&Size(1), 0.5), 50.0),
]);
const JOIN_ESTIMATE: Term = Scaled(&Result, STRING_FACTOR);
const FORMAT_ESTIMATE: Term = Scaled(&READ_SECOND, MAX_FORMAT_PATTERN * REGEX_FACTOR);

fn same(size: Range) -> Range {
    size
}

/// At most as much as the operand.
fn part(size: Range) -> Range {
    Range::up_to(size.max)
}

/// A character has up to four bytes. For an unknown size the product wraps around, as in cel-go.
fn to_bytes(size: Range) -> Range {
    Range {
        min: size.min,
        max: size.max.wrapping_mul(4),
    }
}

fn from_bytes(size: Range) -> Range {
    Range {
        min: size.min / 4,
        max: size.max,
    }
}

/// Quotes are added, and every character may be escaped.
fn quoted(size: Range) -> Range {
    Range {
        min: size.min.wrapping_add(2),
        max: size.max.wrapping_mul(2).wrapping_add(2),
    }
}

const fn sort(operand: usize, estimate: Term) -> Rule {
    let run = Observed(SelfComparison(operand));
    Rule::new(run).estimated(estimate).sized(Square(operand))
}

/// Rules by overload.
#[rustfmt::skip] // One rule, one line.
static OVERLOADS: &[Row] = &[
    ("logical_and logical_or", Rule::new(Units(0)).evaluating(Evaluates::FirstOrBoth)),
    ("conditional", Rule::new(Units(0)).evaluating(Evaluates::OneBranch).sized(Either(1, 2))),
    ("to_dyn", Rule::new(Units(1)).sized(Same(0))),
    ("index_list index_map", Rule::new(Units(1)).sized(Entry)),
    ("in_list", Rule::new(Scaled(&Size(1), 1.0))),
    // Comparison
    ("equals", Rule::new(Observed(Equality))),
    ("not_equals", Rule::new(Observed(Comparison))),
    ("less_string less_equals_string less_bytes less_equals_bytes", Rule::new(Observed(Comparison))),
    ("greater_string greater_equals_string greater_bytes greater_equals_bytes", Rule::new(Observed(Comparison))),
    // Text
    ("add_string add_bytes", Rule::new(Scaled(&Sum(&[Size(0), Size(1)]), STRING_FACTOR)).sized(Both)),
    ("starts_with_string ends_with_string", Rule::new(READ_SECOND)),
    ("contains_string", Rule::new(Product(&[READ_FIRST, READ_SECOND]))),
    ("matches matches_string", Rule::new(MATCH)),
    ("string_format", Rule::new(READ_FIRST)),
    ("string_to_bytes", Rule::new(READ_FIRST).sized(From(0, to_bytes))),
    ("bytes_to_string", Rule::new(READ_FIRST).sized(From(0, from_bytes))),
    ("strings_quote", Rule::new(READ_FIRST).sized(From(0, quoted))),
    // Lists
    ("add_list", Rule::new(Units(1)).sized(Both)),
    ("list_slice", Rule::new(RESULT_LIST).sized(Slice)),
    ("lists_range", Rule::new(RESULT_LIST).sized(Count)),
    ("list_reverse", Rule::new(RESULT_LIST).sized(From(0, same))),
    ("list_flatten", Rule::new(Sum(&[Scaled(&Elements(0), 1.0), NEW_LIST])).sized(From(0, same))),
    ("list_flatten_int", Rule::new(Sum(&[TimesDepth(&Elements(0)), NEW_LIST])).sized(From(0, same))),
    ("list_distinct", sort(0, SORT)),
    ("list_int_sort list_uint_sort list_double_sort list_bool_sort", sort(0, SORT)),
    ("list_google.protobuf.Duration_sort list_google.protobuf.Timestamp_sort", sort(0, SORT)),
    ("list_string_sort list_bytes_sort", sort(0, SORT_TEXTS)),
    ("list_int_sortByAssociatedKeys list_uint_sortByAssociatedKeys", sort(1, SORT_BY)),
    ("list_double_sortByAssociatedKeys list_bool_sortByAssociatedKeys", sort(1, SORT_BY)),
    ("list_google.protobuf.Duration_sortByAssociatedKeys", sort(1, SORT_BY)),
    ("list_google.protobuf.Timestamp_sortByAssociatedKeys", sort(1, SORT_BY)),
    ("list_string_sortByAssociatedKeys list_bytes_sortByAssociatedKeys", sort(1, SORT_BY_TEXTS)),
    // Sets
    ("list_sets_contains_list list_sets_intersects_list", Rule::new(Sum(&[Scaled(&PAIRS, 1.0), Units(1)]))),
    ("list_sets_equivalent_list", Rule::new(Sum(&[Scaled(&PAIRS, 2.0), Units(1)]))),
    // Addresses: those given as text are parsed.
    ("cidr_ip", Rule::new(Units(1))),
    ("cidr_contains_ip_string", Rule::new(Sum(&[COMPARE_ADDRESS, READ_SECOND]))),
    ("cidr_contains_cidr_string", Rule::new(Sum(&[COMPARE_RANGE, READ_SECOND]))),
];

/// Rules of overloads in releases without a feature.
#[rustfmt::skip] // One rule, one line.
static EARLIER: &[(Feature, &str, Rule)] = &[
    (Feature::PrefixCost, "starts_with_string ends_with_string", Rule::new(READ_FIRST).estimated(READ_SECOND)),
    (Feature::GlobalMatchesCost, "matches", DEFAULT_RULE),
];

/// Rules by function, for overloads without a rule of their own and for calls that several overloads fit.
#[rustfmt::skip] // One rule, one line.
static FUNCTIONS: &[Row] = &[
    // Text
    ("url lowerAscii upperAscii substring trim jsonpatch.escapeKey", Rule::new(READ_FIRST).sized(From(0, same))),
    ("replace", Rule::new(READ_TWICE).sized(Replaced)),
    ("split", Rule::new(READ_TWICE).sized(Parts)),
    ("join", Rule::new(Scaled(&Result, 2.0 * STRING_FACTOR)).estimated(JOIN_ESTIMATE).sized(Joined)),
    ("find findAll", Rule::new(MATCH).sized(From(0, part))),
    ("validate", Rule::new(Observed(NamedFormat)).estimated(FORMAT_ESTIMATE)),
    // Lists
    ("isSorted sum max min indexOf lastIndexOf", Rule::new(Observed(Traversal(STRING_FACTOR)))),
    ("includes", Rule::new(Observed(Traversal(1.0)))),
    // Parsers
    ("cidr isCIDR ip isIP quantity isQuantity semver isSemver", Rule::new(READ_FIRST)),
    ("ip.isCanonical", Rule::new(READ_TWICE)),
    ("containsIP", Rule::new(COMPARE_ADDRESS)),
    ("containsCIDR", Rule::new(COMPARE_RANGE)),
    // Authorization
    ("check", Rule::new(Units(ACCESS_CHECK))),
    ("fieldSelector labelSelector", Rule::new(SELECTOR)),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    #[test]
    fn every_rule_has_a_function_or_overload() {
        let (overloads, functions) = &*INDEX;
        for name in functions.keys() {
            assert!(library::find(name).is_some(), "{name}");
        }
        let known: Vec<&str> = library::all()
            .flat_map(|function| &function.overloads)
            .map(|overload| overload.id)
            .collect();
        for name in overloads.keys() {
            assert!(known.contains(name), "{name}");
        }
    }

    #[test]
    fn an_overload_may_differ_from_its_function() {
        assert_eq!(find(Dialect::default(), "ip", "string_to_ip").run, READ_FIRST);
        assert_eq!(find(Dialect::default(), "ip", "cidr_ip").run, Units(1));
        assert_eq!(find(Dialect::default(), "size", "size_list").run, Units(1));
    }
}
