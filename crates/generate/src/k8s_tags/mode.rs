//! `modeDiscriminator` and `ifMode`: what is asked of a member depends on a sibling. A member that no rule mentions for
//! the mode at hand must not be set.

use std::collections::BTreeMap;

use kindsmith_checks::in_order;
use kindsmith_schema::{
    Condition, Facet, Family, Field, JsonSchema, Level, Owner, Place, Rule, Str, TypeId, ValidationRule, Wrap,
};

use super::constraint::{self, Demand, is_change};
use super::enforcement::{self, Enforcement};
use super::group::ratcheted;
use super::presence::{Member, Zero};
use super::rejected_additions::{IMMUTABLE, Refusal};
use super::value::quoted;
use super::{Site, equal, update};
use crate::controller_gen::lower::Lower;

/// What one member is asked in one mode.
struct Check<'r> {
    facet: &'r Facet,
    wraps: Vec<Wrap>,
    standing: Enforcement,
    place: Place,
}

/// What is said of one member.
#[derive(Default)]
struct Said<'r> {
    modes: BTreeMap<Str, Vec<Check<'r>>>,
    /// Whether it is not forbidden in other modes: all that is said of it is hidden.
    hidden: bool,
}

/// A rule under a mode: its group, its mode, and the wraps on both sides of the condition.
struct Split<'r> {
    group: Str,
    mode: &'r Str,
    outside: &'r [Wrap],
    inside: &'r [Wrap],
}

fn split(rule: &Rule) -> Option<Split<'_>> {
    let is_mode = |wrap: &Wrap| matches!(wrap, Wrap::If(Condition::Mode { .. }));
    let at = rule.wraps.iter().position(is_mode)?;
    let Wrap::If(Condition::Mode { modality, mode }) = &rule.wraps[at] else {
        return None;
    };
    let is_own = rule.wraps[..at]
        .iter()
        .all(|wrap| matches!(wrap, Wrap::Level { .. } | Wrap::If(_)));
    is_own.then(|| Split {
        group: modality.clone().unwrap_or_default(),
        mode,
        outside: &rule.wraps[..at],
        inside: &rule.wraps[at + 1..],
    })
}

/// Whether a rule stands under a mode of the struct it is in.
pub(crate) fn is_moded(rule: &Rule) -> bool {
    rule.family == Family::Native && split(rule).is_some()
}

/// Adds the rules of a struct's modes.
pub(crate) fn on_struct(lower: &mut Lower<'_>, id: TypeId, node: &mut JsonSchema) {
    let schema = lower.schema;
    let Some((site, standing, left)) = governing(lower, id) else {
        return;
    };
    if standing == Enforcement::Off {
        return;
    }
    if !left.is_empty() {
        lower.unenforced(site.place(), "modes under a condition");
        return;
    }
    for (_, field) in schema.fields(id) {
        for (group, said) in said(lower, id, field) {
            let Some(discriminator) = discriminator(lower, id, &group) else {
                continue;
            };
            let member = Member {
                optional: false,
                ..Member::new(lower, field)
            };
            let (rules, left_out) = rules(lower, &discriminator, &member, &said);
            node.validations.extend(rules);
            for place in left_out {
                lower.unenforced(place, "the rule under a mode");
            }
        }
    }
}

/// The first rule under a mode: options around it decide for all modes of the struct, levels do not.
fn governing(lower: &Lower<'_>, id: TypeId) -> Option<(Site, Enforcement, Vec<Wrap>)> {
    let schema = lower.schema;
    for (field_id, field) in schema.fields(id) {
        for (index, rule) in in_order(&field.rules) {
            let Some(split) = split(rule) else {
                continue;
            };
            let is_level = |wrap: &&Wrap| !matches!(wrap, Wrap::Level { .. });
            let mut around = Rule::new(Family::Native, Facet::Required);
            around.wraps = split.outside.iter().filter(is_level).cloned().collect();
            let (standing, left) = enforcement::decide(lower.options, &around);
            let site = Site {
                owner: Owner::Field(field_id),
                index: index as usize,
            };
            return Some((site, standing, left));
        }
    }
    None
}

fn discriminator(lower: &Lower<'_>, id: TypeId, group: &Str) -> Option<Member> {
    let is = |rule: &Rule| match &rule.facet {
        Facet::ModeDiscriminator { modality } => modality.as_deref().unwrap_or_default() == &**group,
        _ => false,
    };
    let fields = lower.schema.ty(id).fields();
    let field = fields.iter().find(|field| field.rules.iter().any(is))?;
    Some(Member::new(lower, field))
}

/// What the tags of a field say, by group.
fn said<'r>(lower: &Lower<'_>, id: TypeId, field: &'r Field) -> BTreeMap<Str, Said<'r>> {
    let mut found: BTreeMap<Str, Said<'r>> = BTreeMap::new();
    let position = |index: usize| {
        let fields = lower.schema.fields(id);
        let own = fields.into_iter().find(|(_, known)| std::ptr::eq(*known, field));
        let owner = own.map_or(Owner::Type(id), |(id, _)| Owner::Field(id));
        Site { owner, index }.place()
    };
    for (index, rule) in in_order(&field.rules) {
        let Some(split) = split(rule) else {
            continue;
        };
        let level = split.outside.iter().rev().find_map(|wrap| match wrap {
            Wrap::Level { level, .. } => Some(*level),
            _ => None,
        });
        let said = found.entry(split.group).or_insert_with(|| Said {
            hidden: true,
            ..Said::default()
        });
        said.hidden &= level == Some(Level::Alpha);
        let checks = said.modes.entry(split.mode.clone()).or_default();
        let mut inner = Rule::new(Family::Native, rule.facet.clone());
        inner.wraps = split.inside.to_vec();
        let (standing, wraps) = enforcement::decide(lower.options, &inner);
        // What takes more than one look at the type is lost (validation-gen's `mode.go` takes functions only).
        if is_lost(&rule.facet, &wraps) || standing == Enforcement::Off {
            continue;
        }
        checks.push(Check {
            facet: &rule.facet,
            wraps,
            standing: match level {
                Some(Level::Alpha) => Enforcement::Hidden,
                Some(_) => Enforcement::Enforced,
                None => standing,
            },
            place: position(index as usize),
        });
    }
    found
}

fn is_lost(facet: &Facet, wraps: &[Wrap]) -> bool {
    let deferred = matches!(
        facet,
        Facet::Update(_)
            | Facet::ListType(_)
            | Facet::ListMapKey(_)
            | Facet::Unique(_)
            | Facet::UnionMember { .. }
            | Facet::ZeroOrOneOfMember { .. }
            | Facet::DependentRequired(_)
            | Facet::DependentForbidden(_)
    );
    let is_deferred = |wrap: &Wrap| matches!(wrap, Wrap::EachVal | Wrap::Item(_) | Wrap::Subfield(_));
    deferred || wraps.iter().any(is_deferred)
}

/// Whether a failure stops what comes later.
fn stops(check: &Check<'_>) -> bool {
    check.wraps.is_empty()
        && matches!(
            check.facet,
            Facet::Required
                | Facet::Optional
                | Facet::Forbidden
                | Facet::Immutable
                | Facet::MaxItems(_)
                | Facet::MaxProperties(_)
        )
}

/// The rules on one member, and where something is said that CEL cannot say.
fn rules(
    lower: &Lower<'_>,
    discriminator: &Member,
    member: &Member,
    said: &Said<'_>,
) -> (Vec<ValidationRule>, Vec<Place>) {
    let (mut made, mut left_out) = (Vec::new(), Vec::new());
    let unchanged = |old: &str| {
        let mode = format!(
            "{} == {}",
            discriminator.value("self")?,
            discriminator.value(old)?
        );
        Some(format!(
            "{mode} && {}",
            equal::members(lower, member, ("self", old))?
        ))
    };
    let push = |asked: Demand| -> Option<ValidationRule> {
        let mut rule = ratcheted(&unchanged("oldSelf.value()")?, &asked.holds, &asked.message);
        rule.reason = asked.reason.map(Into::into);
        Some(update::at(member, rule))
    };
    if !said.hidden {
        made.extend(forbidden(discriminator, member, said).and_then(push));
    }
    for (mode, checks) in &said.modes {
        let Some(is) = is_mode(discriminator, mode, "self") else {
            continue;
        };
        let last = checks.iter().rposition(stops);
        let skips = |check: &Check<'_>| {
            *check.facet == Facet::Optional
                || *check.facet == Facet::Required && check.standing == Enforcement::Hidden
        };
        let unset = checks.iter().any(|check| stops(check) && skips(check));
        for (index, check) in checks.iter().enumerate() {
            if check.standing != Enforcement::Enforced || skips(check) {
                continue;
            }
            let is_skipped = unset && last.is_some_and(|last| index > last);
            let guard = match member.is_set("self").filter(|_| is_skipped) {
                Some(set) => format!("!({is}) || !{set}"),
                None => format!("!({is})"),
            };
            match of_check(lower, check, member, &guard, &unchanged, &push) {
                Some(rules) => made.extend(rules),
                None => left_out.push(check.place),
            }
        }
    }
    (made, left_out)
}

fn of_check(
    lower: &Lower<'_>,
    check: &Check<'_>,
    member: &Member,
    guard: &str,
    unchanged: &dyn Fn(&str) -> Option<String>,
    push: &dyn Fn(Demand) -> Option<ValidationRule>,
) -> Option<Vec<ValidationRule>> {
    if *check.facet == Facet::Immutable && check.wraps.is_empty() {
        let rule = format!("{guard} || ({})", unchanged("oldSelf")?);
        return Some(vec![update::at(
            member,
            super::rule_of(&rule, "field is immutable"),
        )]);
    }
    if is_change(check.facet) {
        let rules = update::between(lower, check.facet, member, ("self", "oldSelf"))?;
        let guarded = |mut rule: ValidationRule| {
            rule.rule = format!("{guard} || ({})", rule.rule).into();
            update::at(member, rule)
        };
        return Some(rules.into_iter().map(guarded).collect());
    }
    let asked = constraint::of_member(lower, check.facet, &check.wraps, member, "self", 0)?;
    let guarded = asked
        .into_iter()
        .map(|one| push(one.map(|holds| format!("{guard} || ({holds})"))));
    guarded.collect()
}

/// Whether the discriminator of `of` chooses a mode.
fn is_mode(discriminator: &Member, mode: &str, of: &str) -> Option<String> {
    let value = discriminator.value(of)?;
    Some(match (discriminator.zero, mode) {
        (Zero::Truth, "true") => value,
        (Zero::Truth, "false") => format!("!{value}"),
        (Zero::Truth, _) => return None,
        _ => format!("{value} == {}", quoted(mode)),
    })
}

/// In other modes the member must not be set.
fn forbidden(discriminator: &Member, member: &Member, said: &Said<'_>) -> Option<Demand> {
    let modes: Vec<String> = said
        .modes
        .keys()
        .filter_map(|mode| is_mode(discriminator, mode, "self"))
        .collect();
    let mut terms = modes;
    terms.push(format!("!{}", member.is_set("self")?));
    Some(Demand {
        reason: Some("FieldValueForbidden"),
        ..Demand::new(terms.join(" || "), format!("{} must not be set", member.name))
    })
}

/// Where one of these holds the members of `of` refuse it as a newcomer: something is immutable in its mode.
pub(crate) fn refusals(lower: &Lower<'_>, id: TypeId, of: &str) -> Vec<Refusal> {
    let mut found = Vec::new();
    for (_, field) in lower.schema.fields(id) {
        for (group, said) in said(lower, id, field) {
            let Some(discriminator) = discriminator(lower, id, &group) else {
                continue;
            };
            for (mode, checks) in &said.modes {
                let fixed = |check: &Check<'_>| {
                    *check.facet == Facet::Immutable && check.standing == Enforcement::Enforced
                };
                if checks.iter().any(fixed) {
                    let when = is_mode(&discriminator, mode, of);
                    found.extend(when.map(|when| Refusal {
                        when,
                        message: IMMUTABLE,
                    }));
                }
            }
        }
    }
    found
}
