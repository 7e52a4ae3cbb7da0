//! Limits of single values: lengths, bounds, counts, formats, enums.

use kindsmith_schema::{Bound, Exclusion, Facet, Json, JsonSchema, Limit, Literal, TypeRef};

use super::presence::{Member, Zero};
use super::{Site, addition, format, rule_of};
use crate::controller_gen::lower::Lower;

/// The floats of published schemas cannot distinguish larger numbers.
const EXACT: i128 = 1 << 53;

/// Adds a limit; returns whether it rejects the zero value.
pub(crate) fn add(
    lower: &mut Lower<'_>,
    site: Site,
    facet: &Facet,
    member: &Member,
    node: &mut JsonSchema,
) -> bool {
    let fails = zero_fails(lower, facet, member);
    if let Facet::Format(name) = facet {
        if !format::add(name, member.optional && fails && member.may_be_absent(), node) {
            lower.unenforced(site.place(), &format!("the format {name}"));
        }
        return fails;
    }
    if *facet == Facet::Enum {
        return add_enum(lower, site, member, node);
    }
    // An optional zero is unset, so the limit does not apply.
    if member.optional && fails && member.may_be_absent() {
        match (
            expression(lower, facet, "self", member),
            member.is_unset_value("self"),
        ) {
            (Some((expression, message)), Some(unset)) => {
                node.validations
                    .push(rule_of(&format!("{unset} || {expression}"), &message));
            }
            _ => lower.unenforced(site.place(), "the limit"),
        }
        return false;
    }
    match keyword(facet).filter(|_| !member.is_bytes(lower.view)) {
        Some(keyword) => node.all_of.push(keyword),
        None => match expression(lower, facet, "self", member) {
            Some((expression, message)) => {
                // Bounds the cost of the rule.
                let most = match facet {
                    // A string never has more characters than bytes.
                    Facet::MaxBytes(bytes) => Some(*bytes),
                    // Bytes are encoded as base64.
                    Facet::MaxItems(bytes) => Some(bytes.saturating_add(2) / 3 * 4),
                    _ => None,
                };
                if most.is_some() {
                    node.all_of.push(JsonSchema {
                        max_length: most,
                        ..addition()
                    });
                }
                node.validations.push(rule_of(&expression, &message));
            }
            None => lower.unenforced(site.place(), "the limit"),
        },
    }
    fails
}

/// The limit as a keyword, if there is an equivalent one.
fn keyword(facet: &Facet) -> Option<JsonSchema> {
    let mut made = addition();
    match facet {
        Facet::MinLength(n) => made.min_length = Some(*n.max(&0)),
        Facet::MaxLength(n) => made.max_length = Some(*n),
        Facet::MinItems(n) => made.min_items = Some(*n),
        Facet::MaxItems(n) => made.max_items = Some(*n),
        Facet::MinProperties(n) => made.min_properties = Some(*n),
        Facet::MaxProperties(n) => made.max_properties = Some(*n),
        Facet::Minimum(bound) => {
            made.minimum = Some(exact(bound)?);
            made.exclusive_minimum = bound.exclusive;
        }
        Facet::Maximum(bound) => {
            made.maximum = Some(exact(bound)?);
            made.exclusive_maximum = bound.exclusive;
        }
        _ => return None,
    }
    Some(made)
}

fn integer(bound: &Bound) -> Option<i128> {
    match &bound.limit {
        Limit::Number(number) => number.as_str().parse().ok(),
        Limit::Field(_) => None,
    }
}

fn exact(bound: &Bound) -> Option<f64> {
    let number = integer(bound)?;
    (number.abs() <= EXACT).then_some(number as f64)
}

/// The limit as a CEL condition on `of`, and its message.
pub(crate) fn expression(
    lower: &Lower<'_>,
    facet: &Facet,
    of: &str,
    member: &Member,
) -> Option<(String, String)> {
    let many = |n: i64, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    Some(match facet {
        Facet::MinLength(n) => (
            format!("size({of}) >= {n}"),
            format!("must be at least {}", many(*n, "character")),
        ),
        Facet::MaxLength(n) => (
            format!("size({of}) <= {n}"),
            format!("may not be more than {}", many(*n, "character")),
        ),
        Facet::MaxBytes(n) => (
            format!("size(bytes({of})) <= {n}"),
            format!("may not be more than {}", many(*n, "byte")),
        ),
        Facet::MinItems(n) | Facet::MinProperties(n) => (
            format!("size({of}) >= {n}"),
            format!("must have at least {}", many(*n, "item")),
        ),
        Facet::MaxItems(n) | Facet::MaxProperties(n) => (
            format!("size({of}) <= {n}"),
            format!("must have at most {}", many(*n, "item")),
        ),
        Facet::Minimum(bound) => {
            let (number, sign) = (integer(bound)?, if bound.exclusive { ">" } else { ">=" });
            let words = if bound.exclusive {
                "greater than"
            } else {
                "greater than or equal to"
            };
            (
                format!("{of} {sign} {}", literal_int(number)?),
                format!("must be {words} {number}"),
            )
        }
        Facet::Maximum(bound) => {
            let (number, sign) = (integer(bound)?, if bound.exclusive { "<" } else { "<=" });
            let words = if bound.exclusive {
                "less than"
            } else {
                "less than or equal to"
            };
            (
                format!("{of} {sign} {}", literal_int(number)?),
                format!("must be {words} {number}"),
            )
        }
        Facet::Neq(Literal::Str(text)) if member.kind == Zero::Text => (
            format!("{of} != {}", quoted(text)),
            format!("must not be equal to {}", kindsmith_gostd::quote::quote(text)),
        ),
        Facet::Neq(Literal::Int(number)) if member.kind == Zero::Number => (
            format!("{of} != {}", literal_int(i128::from(*number))?),
            format!("must not be equal to {number}"),
        ),
        Facet::Neq(Literal::Bool(truth)) if member.kind == Zero::Truth => (
            format!("{of} != {truth}"),
            format!("must not be equal to {truth}"),
        ),
        Facet::Enum => {
            let allowed: Vec<String> = values(lower, &member.ty).iter().filter_map(literal).collect();
            let listed: Vec<String> = allowed.clone();
            (
                format!("{of} in [{}]", allowed.join(", ")),
                format!("supported values: {}", listed.join(", ").replace('\'', "\"")),
            )
        }
        Facet::Test(check) if check.fails && !check.non_error => {
            let text = check.message.as_deref().unwrap_or_default();
            ("false".to_owned(), format!("forced failure: {text}"))
        }
        _ => return None,
    })
}

/// CEL can write the smallest integer only as a sum.
fn literal_int(number: i128) -> Option<String> {
    match i64::try_from(number) {
        Ok(i64::MIN) => Some("(-9223372036854775807 - 1)".to_owned()),
        Ok(number) => Some(number.to_string()),
        Err(_) => None,
    }
}

/// A JSON value as a CEL literal.
fn literal(json: &Json) -> Option<String> {
    let arena = kindsmith_json::Arena::new();
    json.value(&arena).as_str().map(quoted)
}

/// Text as a CEL literal.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("'");
    for character in text.chars() {
        match character {
            '\\' | '\'' => {
                out.push('\\');
                out.push(character);
            }
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if control.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(control))),
            other => out.push(other),
        }
    }
    out.push('\'');
    out
}

/// Whether the limit rejects Go's value for an absent member.
pub(crate) fn zero_fails(lower: &Lower<'_>, facet: &Facet, member: &Member) -> bool {
    match facet {
        Facet::MinLength(n) | Facet::MinItems(n) | Facet::MinProperties(n) => *n > 0,
        Facet::Minimum(bound) => integer(bound).is_some_and(|n| n > 0 || n == 0 && bound.exclusive),
        Facet::Maximum(bound) => integer(bound).is_some_and(|n| n < 0 || n == 0 && bound.exclusive),
        Facet::Neq(Literal::Str(text)) => text.is_empty(),
        Facet::Neq(Literal::Int(number)) => *number == 0,
        Facet::Neq(Literal::Bool(truth)) => !truth,
        Facet::Format(name) => !matches!(&**name, "k8s-label-value" | "k8s-path-segment-name"),
        Facet::Enum => !values(lower, &member.ty)
            .iter()
            .any(|value| value.as_str() == "\"\""),
        _ => false,
    }
}

/// The constants of an enum type that are always allowed.
fn values(lower: &Lower<'_>, of: &TypeRef) -> Vec<Json> {
    let TypeRef::Named(id) = lower.view.unalias(of) else {
        return Vec::new();
    };
    let mut values: Vec<Json> = lower
        .schema
        .ty(*id)
        .constants
        .iter()
        .filter(|constant| {
            !constant
                .exclusions
                .iter()
                .any(|one| excludes(lower, one) == Some(true))
        })
        .filter_map(|constant| constant.value.clone())
        .collect();
    values.sort();
    values.dedup();
    values
}

/// Whether a value is excluded; `None` if that depends on an unknown option.
fn excludes(lower: &Lower<'_>, exclusion: &Exclusion) -> Option<bool> {
    match exclusion {
        Exclusion::Always => Some(true),
        Exclusion::When { option, enabled } => lower.options.switch(option).map(|on| on == *enabled),
    }
}

fn add_enum(lower: &mut Lower<'_>, site: Site, member: &Member, node: &mut JsonSchema) -> bool {
    let TypeRef::Named(id) = lower.view.unalias(&member.ty) else {
        return false;
    };
    let constants = &lower.schema.ty(*id).constants;
    let conditional = constants.iter().any(|constant| {
        constant
            .exclusions
            .iter()
            .any(|one| excludes(lower, one).is_none())
    });
    if conditional {
        lower.unenforced(site.place(), "which values an option excludes");
    }
    let mut allowed = values(lower, &member.ty);
    let fails = zero_fails(lower, &Facet::Enum, member);
    if member.optional && fails && member.may_be_absent() {
        allowed.insert(0, Json::from(""));
    }
    // An enum without values rejects everything, but the keyword without values has no effect.
    if allowed.is_empty() {
        node.validations
            .push(rule_of("false", "there are no supported values"));
    } else {
        node.enum_values = allowed.into();
    }
    fails && !(member.optional && member.may_be_absent())
}

/// The member must not be set.
pub(crate) fn forbid(member: &Member, node: &mut JsonSchema) {
    let unset = member
        .is_unset_value("self")
        .unwrap_or_else(|| "false".to_owned());
    let mut rule = rule_of(&unset, "must not be set");
    rule.reason = Some("FieldValueForbidden".into());
    node.validations.push(rule);
}
