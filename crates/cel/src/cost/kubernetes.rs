//! Estimates of the Kubernetes libraries, by function name (`apiserver/pkg/cel/library/cost.go`).

use crate::library::accessor::{ACCESS_CHECK, is_accessor};
use crate::syntax::ast::{Expr, Literal};
use crate::types::{Kind, Type};

use super::call::{Call, CallEstimate, regex_cost};
use super::estimate::{CostEstimate, SizeEstimate, fixed_cost};
use super::{Arg, Coster, REGEX_FACTOR, STRING_FACTOR, extend};

/// The largest pattern assumed for `format.validate`.
const MAX_FORMAT_REGEX: f64 = 128.0;
const MAX_FORMAT_NAME: u64 = 64;
/// The sizes of an IP address in bytes.
const IP_SIZE: SizeEstimate = SizeEstimate { min: 4, max: 16 };

/// The estimate of a function Kubernetes knows, or `None`.
pub(super) fn estimate(coster: &Coster<'_>, call: &Call<'_, '_>) -> Option<CallEstimate> {
    if is_accessor(call.function, call.overload) {
        return Some(CallEstimate::cost(fixed_cost(1)));
    }
    text_estimate(coster, call).or_else(|| network_estimate(coster, call))
}

fn size(coster: &Coster<'_>, arg: &Arg<'_>) -> SizeEstimate {
    arg.size
        .or_else(|| coster.declared_size(&arg.path))
        .unwrap_or(SizeEstimate::UNKNOWN)
}

/// Functions on texts and lists.
fn text_estimate(coster: &Coster<'_>, call: &Call<'_, '_>) -> Option<CallEstimate> {
    let size = |arg: &Arg<'_>| size(coster, arg);
    let first = call.args.first();
    match call.function {
        "isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf" | "includes" => call
            .target
            .map(|list| traversal(coster, call.function, list, size(list))),
        "url" => first.map(|text| CallEstimate::sized(size(text).times(STRING_FACTOR), size(text))),
        "lowerAscii" | "upperAscii" | "substring" | "trim" => call
            .target
            .map(|text| CallEstimate::sized(size(text).times(STRING_FACTOR), size(text))),
        "replace" => match (call.target, call.args) {
            (Some(text), [old, new, ..]) => Some(replace(size(text), size(old), size(new))),
            _ => None,
        },
        "split" => call.target.map(|text| split(coster, size(text), call.args)),
        "join" => call
            .target
            .map(|list| join(coster, list, size(list), first.map(size))),
        "find" | "findAll" => match (call.target, first) {
            (Some(text), Some(pattern)) => {
                let cost = regex_cost(size(text), size(pattern));
                Some(CallEstimate::sized(
                    cost,
                    SizeEstimate {
                        min: 0,
                        max: size(text).max,
                    },
                ))
            }
            _ => None,
        },
        "_==_" => match call.args {
            [left, right] => equality(left, right),
            _ => None,
        },
        _ => None,
    }
}

/// Functions that parse or check a text of some format.
fn network_estimate(coster: &Coster<'_>, call: &Call<'_, '_>) -> Option<CallEstimate> {
    let first = call.args.first().map(|arg| size(coster, arg));
    let cost = match call.function {
        "check" => fixed_cost(ACCESS_CHECK),
        "fieldSelector" | "labelSelector" => selector_cost(first?),
        "cidr" | "isIP" | "isCIDR" | "ip" | "quantity" | "isQuantity" | "semver" | "isSemver" => {
            first?.times(STRING_FACTOR)
        }
        "ip.isCanonical" => first?.times(2.0 * STRING_FACTOR),
        "containsIP" => address_cost(first.filter(|_| call.overload == "cidr_contains_ip_string")),
        "containsCIDR" => {
            let text = first.filter(|_| call.overload == "cidr_contains_cidr_string");
            address_cost(text)
                .add(IP_SIZE.times(STRING_FACTOR))
                .add(fixed_cost(1))
        }
        "validate" => first?.times(STRING_FACTOR).times(MAX_FORMAT_REGEX * REGEX_FACTOR),
        _ => return None,
    };
    Some(CallEstimate::cost(cost))
}

fn selector_cost(length: SizeEstimate) -> CostEstimate {
    let requirements = length.times(0.5).times(50.0);
    fixed_cost(10).add(length.times(STRING_FACTOR)).add(requirements)
}

/// The node of a list's elements as cost functions see it: its type and, if the list has a path, its bound.
fn element<'t>(coster: &Coster<'_>, list: &Arg<'t>) -> Option<(&'t Type, SizeEstimate)> {
    let ty = list.ty.parameters().first()?;
    let path = list.path.clone().and_then(|path| extend(Some(path), "@items"));
    Some((ty, coster.declared_size(&path).unwrap_or(SizeEstimate::UNKNOWN)))
}

fn traversal(coster: &Coster<'_>, function: &str, list: &Arg<'_>, size: SizeEstimate) -> CallEstimate {
    let mut each = fixed_cost(1);
    match element(coster, list) {
        Some((ty, element_size)) => {
            if matches!(ty.kind(), Kind::String | Kind::Bytes) {
                each = each.add(element_size.times(STRING_FACTOR));
            }
        }
        None if function == "includes" => {}
        None => return CallEstimate::cost(size.times(STRING_FACTOR)),
    }
    CallEstimate::cost(size.times_cost(each))
}

fn replace(text: SizeEstimate, old: SizeEstimate, new: SizeEstimate) -> CallEstimate {
    let (mut count, mut retained) = (SizeEstimate::default(), SizeEstimate::default());
    if old.min == 0 {
        // An empty text to replace matches before every character and at the end.
        count.max = text.max.saturating_add(1);
        retained.max = text.max;
    } else if new.max <= old.min {
        retained.max = text.max;
    } else {
        count.max = (text.max as f64 / old.min as f64).ceil() as u64;
    }
    if old.max == 0 {
        count.min = text.min.saturating_add(1);
        retained.min = text.min;
    } else if old.max <= new.min {
        retained.min = text.min;
    } else {
        count.min = (text.min as f64 / old.max as f64).ceil() as u64;
    }
    CallEstimate::sized(text.times(2.0 * STRING_FACTOR), count.multiply(new).add(retained))
}

fn split(coster: &Coster<'_>, text: SizeEstimate, args: &[Arg<'_>]) -> CallEstimate {
    let limit = args
        .get(1)
        .and_then(|limit| match coster.checked.ast.get(limit.id) {
            Expr::Literal(Literal::Int(n)) => Some(*n as u64),
            _ => None,
        });
    let result = SizeEstimate {
        min: 0,
        max: limit.unwrap_or(text.max),
    };
    CallEstimate::sized(text.times(2.0 * STRING_FACTOR), result)
}

fn join(
    coster: &Coster<'_>,
    list: &Arg<'_>,
    size: SizeEstimate,
    separator: Option<SizeEstimate>,
) -> CallEstimate {
    let mut result =
        element(coster, list).map_or(SizeEstimate::default(), |(_, element)| size.multiply(element));
    if let Some(separator) = separator {
        let count = SizeEstimate {
            min: size.min.saturating_sub(1),
            max: size.max.saturating_sub(1),
        };
        result = result.add(separator.multiply(count));
    }
    CallEstimate::sized(result.times(STRING_FACTOR), result)
}

/// Comparing addresses, and reading one from text if it is not one yet.
fn address_cost(text: Option<SizeEstimate>) -> CostEstimate {
    let compare = IP_SIZE.add(IP_SIZE).times(STRING_FACTOR);
    match text {
        Some(SizeEstimate { min, max }) => compare.add(CostEstimate { min, max }.times(STRING_FACTOR)),
        None => compare,
    }
}

fn equality(left: &Arg<'_>, right: &Arg<'_>) -> Option<CallEstimate> {
    // Types compare by name here, so two lists of different elements count as the same type.
    if left.ty.name() != right.ty.name() {
        return None;
    }
    match left.ty {
        Type::Opaque(name, _) if matches!(&**name, "net.IP" | "net.CIDR") => {
            Some(CallEstimate::cost(fixed_cost(1)))
        }
        Type::Object(name) => match &**name {
            "kubernetes.Quantity" | "kubernetes.Semver" => Some(CallEstimate::cost(fixed_cost(1))),
            "kubernetes.NamedFormat" => {
                let cost = CostEstimate {
                    min: 1,
                    max: MAX_FORMAT_NAME,
                }
                .times(STRING_FACTOR);
                Some(CallEstimate::cost(cost))
            }
            "kubernetes.URL" => {
                let max = right.size.map_or(1, |size| size.max);
                Some(CallEstimate::cost(
                    CostEstimate { min: 1, max }.times(STRING_FACTOR),
                ))
            }
            _ => None,
        },
        _ => None,
    }
}
