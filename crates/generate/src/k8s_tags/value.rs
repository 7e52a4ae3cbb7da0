//! Limits of single values: lengths, bounds, counts, formats, enums.

use kindsmith_checks::{EnumSet, Leaf, Number, Types, value_check};
use kindsmith_schema::{Facet, Json, JsonSchema, Literal, Str};

use super::cel_text::{quoted, rule_of};
use super::format;
use super::marks::addition;
use super::presence::Member;
use super::reading::Reading;
use super::site::Site;

/// The floats of published schemas cannot distinguish larger numbers.
const EXACT: i128 = 1 << 53;

/// Adds a limit; returns whether it rejects the zero value.
pub(crate) fn add(
    reading: &mut Reading<'_>,
    site: Site,
    facet: &Facet,
    member: &Member,
    node: &mut JsonSchema,
) -> bool {
    let Some(leaf) = check(reading, facet, member) else {
        reading.unenforced(site.place(), "the limit");
        return false;
    };
    let fails = leaf_rejects_zero(reading, &leaf);
    // An optional zero is unset, so the limit does not apply.
    let allows_unset = member.optional && fails && member.may_be_absent();
    match &leaf {
        Leaf::Format(format) => {
            if !format::add(format.name, allows_unset, node) {
                reading.unenforced(site.place(), &format!("the format {}", format.name));
            }
            return fails;
        }
        Leaf::Enum(set) => {
            add_enum(reading, site, set, allows_unset, node);
            return fails && !allows_unset;
        }
        _ => {}
    }
    if allows_unset {
        match (
            leaf_expression(reading, &leaf, "self"),
            member.is_unset_value("self"),
        ) {
            (Some((expression, message)), Some(unset)) => {
                node.validations
                    .push(rule_of(&format!("{unset} || {expression}"), &message));
            }
            _ => reading.unenforced(site.place(), "the limit"),
        }
        return false;
    }
    match keyword(&leaf).filter(|_| !member.is_bytes(reading.view)) {
        Some(keyword) => node.all_of.push(keyword),
        None => match leaf_expression(reading, &leaf, "self") {
            Some((expression, message)) => {
                // Bounds the cost of the rule.
                let most = match leaf {
                    // A string never has more characters than bytes.
                    Leaf::MaxBytes(bytes) => Some(bytes),
                    // Bytes are encoded as base64.
                    Leaf::MaxItems(bytes) => Some(bytes.saturating_add(2) / 3 * 4),
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
            None => reading.unenforced(site.place(), "the limit"),
        },
    }
    fails
}

/// The check of a tag on a member, as all back ends read it.
fn check(reading: &Reading<'_>, facet: &Facet, member: &Member) -> Option<Leaf> {
    value_check(Types::new(reading.schema), &member.ty, facet)
}

/// The limit as a keyword, if there is an equivalent one.
fn keyword(leaf: &Leaf) -> Option<JsonSchema> {
    let mut made = addition();
    match leaf {
        Leaf::MinLength(n) => made.min_length = Some(*n.max(&0)),
        Leaf::MaxLength(n) => made.max_length = Some(*n),
        Leaf::MinItems(n) => made.min_items = Some(*n),
        Leaf::MaxItems(n) => made.max_items = Some(*n),
        Leaf::MinProperties(n) => made.min_properties = Some(*n),
        Leaf::MaxProperties(n) => made.max_properties = Some(*n),
        Leaf::Minimum { limit, exclusive } => {
            made.minimum = Some(exact(*limit)?);
            made.exclusive_minimum = *exclusive;
        }
        Leaf::Maximum { limit, exclusive } => {
            made.maximum = Some(exact(*limit)?);
            made.exclusive_maximum = *exclusive;
        }
        _ => return None,
    }
    Some(made)
}

fn integer(limit: Number) -> Option<i128> {
    match limit {
        Number::Int(number) => Some(number),
        Number::Float(_) => None,
    }
}

fn exact(limit: Number) -> Option<f64> {
    let number = integer(limit)?;
    (number.abs() <= EXACT).then_some(number as f64)
}

/// A tag as a CEL condition on `of`, and its message.
pub(crate) fn expression(
    reading: &Reading<'_>,
    facet: &Facet,
    of: &str,
    member: &Member,
) -> Option<(String, String)> {
    match facet {
        Facet::Test(check) if check.fails && !check.non_error => {
            let text = check.message.as_deref().unwrap_or_default();
            Some(("false".to_owned(), format!("forced failure: {text}")))
        }
        facet => leaf_expression(reading, &check(reading, facet, member)?, of),
    }
}

fn leaf_expression(reading: &Reading<'_>, leaf: &Leaf, of: &str) -> Option<(String, String)> {
    let many = |n: i64, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    let bound = |limit: Number, sign: &str, words: &str| {
        let number = integer(limit)?;
        Some((
            format!("{of} {sign} {}", literal_int(number)?),
            format!("must be {words} {number}"),
        ))
    };
    Some(match leaf {
        Leaf::MinLength(n) => (
            format!("size({of}) >= {n}"),
            format!("must be at least {}", many(*n, "character")),
        ),
        Leaf::MaxLength(n) => (
            format!("size({of}) <= {n}"),
            format!("may not be more than {}", many(*n, "character")),
        ),
        Leaf::MaxBytes(n) => (
            format!("size(bytes({of})) <= {n}"),
            format!("may not be more than {}", many(*n, "byte")),
        ),
        Leaf::MinItems(n) | Leaf::MinProperties(n) => (
            format!("size({of}) >= {n}"),
            format!("must have at least {}", many(*n, "item")),
        ),
        Leaf::MaxItems(n) | Leaf::MaxProperties(n) => (
            format!("size({of}) <= {n}"),
            format!("must have at most {}", many(*n, "item")),
        ),
        Leaf::Minimum { limit, exclusive } => {
            if *exclusive {
                bound(*limit, ">", "greater than")?
            } else {
                bound(*limit, ">=", "greater than or equal to")?
            }
        }
        Leaf::Maximum { limit, exclusive } => {
            if *exclusive {
                bound(*limit, "<", "less than")?
            } else {
                bound(*limit, "<=", "less than or equal to")?
            }
        }
        Leaf::Neq(literal) => {
            let (written, shown) = match literal {
                Literal::Str(text) => (quoted(text), kindsmith_gostd::quote::quote(text)),
                Literal::Int(number) => (literal_int(i128::from(*number))?, number.to_string()),
                Literal::Bool(truth) => (truth.to_string(), truth.to_string()),
            };
            (
                format!("{of} != {written}"),
                format!("must not be equal to {shown}"),
            )
        }
        Leaf::Enum(set) => {
            let allowed: Vec<String> = allowed(reading, set).map(|value| quoted(value)).collect();
            let listed = allowed.join(", ");
            (
                format!("{of} in [{listed}]"),
                format!("supported values: {}", listed.replace('\'', "\"")),
            )
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

/// Whether the limit rejects Go's value for an absent member.
pub(crate) fn zero_fails(reading: &Reading<'_>, facet: &Facet, member: &Member) -> bool {
    check(reading, facet, member).is_some_and(|leaf| leaf_rejects_zero(reading, &leaf))
}

fn leaf_rejects_zero(reading: &Reading<'_>, leaf: &Leaf) -> bool {
    match leaf {
        Leaf::MinLength(n) | Leaf::MinItems(n) | Leaf::MinProperties(n) => *n > 0,
        Leaf::Minimum { limit, exclusive } => integer(*limit).is_some_and(|n| n > 0 || n == 0 && *exclusive),
        Leaf::Maximum { limit, exclusive } => integer(*limit).is_some_and(|n| n < 0 || n == 0 && *exclusive),
        Leaf::Neq(Literal::Str(text)) => text.is_empty(),
        Leaf::Neq(Literal::Int(number)) => *number == 0,
        Leaf::Neq(Literal::Bool(truth)) => !truth,
        Leaf::Format(format) => !matches!(format.name, "k8s-label-value" | "k8s-path-segment-name"),
        Leaf::Enum(set) => !allowed(reading, set).any(|value| value.is_empty()),
        _ => false,
    }
}

/// The values of an enum that no known option excludes.
fn allowed<'e>(reading: &'e Reading<'_>, set: &'e EnumSet) -> impl Iterator<Item = &'e Str> {
    let is_excluded = |value: &&Str| {
        let mut exclusions = set.exclusions.iter().filter(|one| one.value == **value);
        exclusions.any(|one| reading.switches.get(&one.option) == Some(one.when))
    };
    set.values.iter().filter(move |value| !is_excluded(value))
}

fn add_enum(reading: &mut Reading<'_>, site: Site, set: &EnumSet, allows_unset: bool, node: &mut JsonSchema) {
    if (set.exclusions.iter()).any(|one| reading.switches.get(&one.option).is_none()) {
        reading.unenforced(site.place(), "which values an option excludes");
    }
    let unset = allows_unset.then(|| Json::from(""));
    let allowed = allowed(reading, set).map(|value| Json::from(&**value));
    let allowed: Vec<Json> = unset.into_iter().chain(allowed).collect();
    // An enum without values rejects everything, but the keyword without values has no effect.
    if allowed.is_empty() {
        node.validations
            .push(rule_of("false", "there are no supported values"));
    } else {
        node.enum_values = allowed.into();
    }
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
