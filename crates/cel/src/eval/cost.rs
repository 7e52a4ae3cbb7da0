//! What calls cost when they run (cel-go `interpreter/runtimecost.go` with the Kubernetes and extension trackers).

use crate::cost::{LIST_COST, REGEX_FACTOR, STRING_FACTOR};
use crate::library::accessor::{ACCESS_CHECK, is_accessor};

use super::context::{Context, Stop};
use super::list;
use super::value::{Ext, Value};

/// How a call is charged; chosen when the program is planned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum CostRule {
    /// A fixed charge.
    Fixed(u64),
    /// The size of an argument times a factor, rounded up.
    Size(usize, f64),
    /// The size of the result times a factor, rounded up.
    ResultSize(f64),
    /// The size of an argument.
    Length(usize),
    /// The smaller of two sizes; one unit for library types.
    Compare,
    /// The smaller of two sizes.
    CompareText,
    /// Both sizes together.
    Concat,
    /// Text against pattern.
    Regex,
    /// Text against text.
    Contains,
    /// One look at everything in the first argument.
    Traverse,
    ContainsIp {
        parse: bool,
    },
    ContainsCidr {
        parse: bool,
    },
    /// A text against the pattern of a named format.
    Validate,
    /// Both sizes multiplied, times a factor.
    Sets(f64),
    /// The size of the result, with a list made.
    ListResult,
    /// The depth times the size, with a list made.
    Flatten,
    /// Every element of an argument against every other, with a list made.
    SelfCompare(usize),
}

/// The rule for a call; `overload` is empty when several may be meant.
pub(crate) fn rule(function: &str, overload: &str) -> CostRule {
    extension(overload)
        .or_else(|| kubernetes(function, overload))
        .unwrap_or_else(|| standard(overload))
}

fn extension(overload: &str) -> Option<CostRule> {
    Some(match overload {
        "list_sets_contains_list" | "list_sets_intersects_list" => CostRule::Sets(1.0),
        "list_sets_equivalent_list" => CostRule::Sets(2.0),
        "list_slice" | "lists_range" | "list_reverse" => CostRule::ListResult,
        "list_flatten" | "list_flatten_int" => CostRule::Flatten,
        "list_distinct" => CostRule::SelfCompare(0),
        _ if overload.ends_with("_sortByAssociatedKeys") => CostRule::SelfCompare(1),
        _ if overload.starts_with("list_") && overload.ends_with("_sort") => CostRule::SelfCompare(0),
        _ => return None,
    })
}

fn kubernetes(function: &str, overload: &str) -> Option<CostRule> {
    if is_accessor(function, overload) {
        return Some(CostRule::Fixed(1));
    }
    Some(match function {
        "check" => CostRule::Fixed(ACCESS_CHECK),
        "isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf" | "includes" => CostRule::Traverse,
        "url" | "lowerAscii" | "upperAscii" | "substring" | "trim" => CostRule::Size(0, STRING_FACTOR),
        "replace" | "split" | "ip.isCanonical" => CostRule::Size(0, 2.0 * STRING_FACTOR),
        "join" => CostRule::ResultSize(2.0 * STRING_FACTOR),
        "find" | "findAll" => CostRule::Regex,
        "cidr" | "isIP" | "isCIDR" | "ip" | "quantity" | "isQuantity" | "semver" | "isSemver" => {
            CostRule::Size(0, STRING_FACTOR)
        }
        "containsIP" => CostRule::ContainsIp {
            parse: overload == "cidr_contains_ip_string",
        },
        "containsCIDR" => CostRule::ContainsCidr {
            parse: overload == "cidr_contains_cidr_string",
        },
        "validate" => CostRule::Validate,
        "_==_" => CostRule::Compare,
        _ => return None,
    })
}

fn standard(overload: &str) -> CostRule {
    match overload {
        "starts_with_string" | "ends_with_string" => CostRule::Size(1, STRING_FACTOR),
        "string_to_bytes" | "bytes_to_string" | "strings_quote" | "string_format" => {
            CostRule::Size(0, STRING_FACTOR)
        }
        "in_list" => CostRule::Length(1),
        "less_string"
        | "greater_string"
        | "less_equals_string"
        | "greater_equals_string"
        | "less_bytes"
        | "greater_bytes"
        | "less_equals_bytes"
        | "greater_equals_bytes"
        | "equals"
        | "not_equals" => CostRule::CompareText,
        "add_string" | "add_bytes" => CostRule::Concat,
        "matches" | "matches_string" => CostRule::Regex,
        "contains_string" => CostRule::Contains,
        _ => CostRule::Fixed(1),
    }
}

fn scaled(size: u64, factor: f64) -> u64 {
    (size as f64 * factor).ceil() as u64
}

/// The size Kubernetes charges: one for what has no size.
fn size(value: Value<'_>) -> u64 {
    match value {
        Value::Ext(Ext::Ip(ip)) => {
            if ip.is_ipv4() {
                4
            } else {
                16
            }
        }
        Value::Ext(Ext::Cidr(prefix)) => u64::from(prefix.bits()).div_ceil(8),
        _ => value.size().unwrap_or(1),
    }
}

/// The size the standard library charges: optionals count as what they hold.
fn standard_size(value: Value<'_>) -> u64 {
    match value {
        Value::Optional(Some(inner)) => standard_size(*inner),
        other => size(other),
    }
}

/// The charge for comparing two values by size. Short strings, the common case, are not counted exactly.
#[inline]
pub(crate) fn comparison(a: Value<'_>, b: Value<'_>) -> u64 {
    if let (Value::String(a), Value::String(b)) = (a, b) {
        let shorter = a.len().min(b.len());
        if shorter <= 10 {
            return u64::from(shorter > 0);
        }
    }
    scaled(standard_size(a).min(standard_size(b)), STRING_FACTOR)
}

impl CostRule {
    /// The charge for a call with two scalars, where no more than they are is asked.
    #[inline]
    pub(crate) fn plain_charge(self, args: [Value<'_>; 2]) -> Option<u64> {
        Some(match self {
            CostRule::Fixed(cost) => cost,
            CostRule::CompareText => comparison(args[0], args[1]),
            CostRule::Size(arg, factor) => scaled(standard_size(*args.get(arg)?), factor),
            CostRule::Contains => {
                scaled(standard_size(args[0]), STRING_FACTOR) * scaled(standard_size(args[1]), STRING_FACTOR)
            }
            _ => return None,
        })
    }

    /// The charge for a call with these arguments and this result.
    pub(crate) fn charge<'a>(
        self,
        cx: &mut Context<'a>,
        args: &[Value<'a>],
        result: Value<'a>,
    ) -> Result<u64, Stop> {
        Ok(match self {
            CostRule::Fixed(cost) => cost,
            CostRule::Size(arg, factor) => args
                .get(arg)
                .map_or(1, |value| scaled(standard_size(*value), factor)),
            CostRule::ResultSize(factor) => scaled(size(result), factor),
            CostRule::Length(arg) => standard_size(args[arg]),
            CostRule::Compare if matches!(args[0], Value::Ext(ext) if !matches!(ext, Ext::Empty)) => 1,
            CostRule::Compare | CostRule::CompareText => comparison(args[0], args[1]),
            CostRule::Concat => scaled(standard_size(args[0]) + standard_size(args[1]), STRING_FACTOR),
            CostRule::Regex => {
                let text = ((1.0 + standard_size(args[0]) as f64) * STRING_FACTOR).ceil() as u64;
                text * scaled(standard_size(args[1]), REGEX_FACTOR)
            }
            CostRule::Contains => {
                scaled(standard_size(args[0]), STRING_FACTOR) * scaled(standard_size(args[1]), STRING_FACTOR)
            }
            CostRule::Traverse => traversal(cx, args[0]),
            CostRule::ContainsIp { parse } => address(args, parse),
            CostRule::ContainsCidr { parse } => {
                let own = scaled(size(args[0]), STRING_FACTOR) + 1;
                address(args, parse) + own
            }
            CostRule::Validate => match args[0] {
                Value::Ext(Ext::Format(format)) => {
                    let text = ((1.0 + size(args[1]) as f64) * STRING_FACTOR).ceil() as u64;
                    text * scaled(format.regex_size, REGEX_FACTOR)
                }
                _ => 1,
            },
            CostRule::Sets(factor) => {
                let product = size(args[0]).wrapping_mul(size(args[1]));
                ((product as f64 * factor) as u64).saturating_add(1)
            }
            CostRule::ListResult => allocating(1.0, size(result)),
            CostRule::Flatten => {
                let depth = match args.get(1) {
                    None => 1.0,
                    Some(Value::Int(depth)) => *depth as f64,
                    Some(_) => {
                        return Err(cx.crash("interface conversion: ref.Val is *types.Err, not types.Int"));
                    }
                };
                allocating(depth, size(args[0]))
            }
            CostRule::SelfCompare(arg) => self_comparison(cx, args[arg])?,
        })
    }
}

fn address(args: &[Value<'_>], parse: bool) -> u64 {
    let own = size(args[0]);
    let parsing = if parse {
        scaled(size(args[1]), STRING_FACTOR)
    } else {
        0
    };
    scaled(own + own, STRING_FACTOR) + parsing
}

fn allocating(factor: f64, size: u64) -> u64 {
    let factor = if factor < 0.0 { 1.0 } else { factor };
    ((size as f64 * factor) as u64).saturating_add(1 + LIST_COST)
}

fn self_comparison<'a>(cx: &mut Context<'a>, value: Value<'a>) -> Result<u64, Stop> {
    if !value.is_list() {
        // The tracker asserts a list where an error may be.
        return Err(cx.crash("interface conversion: *types.Err is not traits.Lister: missing method Add"));
    }
    let length = size(value);
    if length == 0 {
        return Ok(allocating(2.0, 0));
    }
    let first = list::get(cx, value, 0);
    let text = matches!(first, Value::String(_) | Value::Bytes(_));
    Ok(allocating(
        if text { 2.0 + STRING_FACTOR } else { 2.0 },
        length.saturating_mul(length),
    ))
}

/// One unit per scalar, a tenth per byte of text, rounded down.
fn traversal<'a>(cx: &mut Context<'a>, value: Value<'a>) -> u64 {
    match value {
        Value::String(s) => (s.len() as f64 * STRING_FACTOR) as u64,
        Value::Bytes(b) => (b.len() as f64 * STRING_FACTOR) as u64,
        _ if value.is_list() => (0..list::len(value))
            .map(|at| {
                let element = list::get(cx, value, at);
                traversal(cx, element)
            })
            .sum(),
        _ if value.is_map() => {
            let mut sum = 0;
            for key in list::keys(cx, value) {
                let entry = list::map_get(cx, value, key);
                sum += traversal(cx, key) + traversal(cx, entry);
            }
            sum
        }
        _ => 1,
    }
}
