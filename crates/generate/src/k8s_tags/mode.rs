//! `modeDiscriminator` and `ifMode`: the rules of a member depend on a sibling. A member without a rule for
//! the current mode must not be set.

use kindsmith_checks::{Body, Call, Leaf, Mode, Profile};
use kindsmith_schema::{
    Condition, Facet, Family, JsonSchema, Level, Owner, Part, Place, Rule, Str, TypeId, ValidationRule, Wrap,
};

use super::constraint::{self, Demand, is_change};
use super::enforcement::{self, Enforcement};
use super::group::ratcheted;
use super::presence::{Member, Zero};
use super::rejected_additions::{IMMUTABLE, Refusal};
use super::value::quoted;
use super::{equal, update};
use crate::controller_gen::lower::Lower;

/// One check of a member in one mode.
struct Check {
    facet: Facet,
    wraps: Vec<Wrap>,
    standing: Enforcement,
    /// Whether a failure stops what comes later.
    stops: bool,
    place: Place,
}

/// All checks of one member.
struct Said {
    discriminator: Member,
    member: Member,
    modes: Vec<(Str, Vec<Check>)>,
    /// Whether the member is not forbidden in other modes, because all its rules are hidden.
    hidden: bool,
}

/// The wrappers of a rule inside its mode, if it is under a mode of its own struct.
fn inside_mode(rule: &Rule) -> Option<&[Wrap]> {
    let is_mode = |wrap: &Wrap| matches!(wrap, Wrap::If(Condition::Mode { .. }));
    let at = rule.wraps.iter().position(is_mode)?;
    let (outside, inside) = (&rule.wraps[..at], &rule.wraps[at + 1..]);
    let is_own = |wrap: &Wrap| matches!(wrap, Wrap::Level { .. } | Wrap::If(_));
    outside.iter().all(is_own).then_some(inside)
}

/// Whether a rule is under a mode of its own struct.
pub(crate) fn is_moded(rule: &Rule) -> bool {
    rule.family == Family::Native && inside_mode(rule).is_some()
}

/// Adds the rules of a struct's modes.
pub(crate) fn on_struct(lower: &mut Lower<'_>, id: TypeId, node: &mut JsonSchema) {
    let options = lower.options;
    for call in moded_members(lower, id) {
        let decided = call.decided(|name| options.switch(name));
        let Body::Mode(mode) = &decided.call.body else {
            continue;
        };
        match (decided.enforcement, call.rule.filter(|_| decided.conditional)) {
            (Enforcement::Off, _) => {}
            (_, Some(place)) => lower.unenforced(place, "modes under a condition"),
            (_, None) => {
                let (rules, left_out) = rules(lower, &Said::new(lower, mode));
                node.validations.extend(rules);
                for place in left_out {
                    lower.unenforced(place, "the rule under a mode");
                }
            }
        }
    }
}

/// The checks of a struct's members by mode, in the order of members.
fn moded_members(lower: &Lower<'_>, id: TypeId) -> Vec<Call> {
    let mut calls = lower.struct_calls(id);
    calls.sort_by_key(|call| match &call.decided(|_| None).call.body {
        Body::Mode(mode) => mode.field.index,
        _ => 0,
    });
    calls
}

impl Said {
    fn new(lower: &Lower<'_>, mode: &Mode) -> Self {
        let member = |id| Member::new(lower, lower.schema.field(id));
        let modes = mode.rules.iter().map(|(name, calls)| {
            let mut checks: Vec<Check> = calls.iter().filter_map(|call| check(lower, call)).collect();
            // One tag may become several calls.
            checks.dedup_by_key(|check| check.place);
            (name.clone(), checks)
        });
        Self {
            discriminator: member(mode.discriminator),
            member: Member {
                optional: false,
                ..member(mode.field)
            },
            modes: modes.collect(),
            hidden: mode.forbidden_level == Some(Level::Alpha),
        }
    }
}

/// The tag of a call.
fn check(lower: &Lower<'_>, call: &Call) -> Option<Check> {
    let place = call.rule?;
    let (Owner::Field(id), Part::Rule(index)) = (place.owner, place.part) else {
        return None;
    };
    let rule = lower.schema.field(id).rules.get(index as usize)?;
    let facet = match call.body {
        // An optional member with a default is required.
        Body::Leaf(Leaf::Required) => Facet::Required,
        _ => rule.facet.clone(),
    };
    let mut inner = Rule::new(Family::Native, facet);
    inner.wraps = inside_mode(rule)?.to_vec();
    let (standing, wraps) = enforcement::decide(lower.options, &inner);
    let standing = match (standing, call.level) {
        (Enforcement::Off, _) => return None,
        (_, Some(Level::Alpha)) => Enforcement::Hidden,
        (_, Some(_)) => Enforcement::Enforced,
        (standing, None) => standing,
    };
    Some(Check {
        facet: inner.facet,
        stops: call.short_circuit && wraps.is_empty(),
        wraps,
        standing,
        place,
    })
}

/// The rules on one member, and the rules that CEL cannot express.
fn rules(lower: &Lower<'_>, said: &Said) -> (Vec<ValidationRule>, Vec<Place>) {
    let (discriminator, member) = (&said.discriminator, &said.member);
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
        made.extend(forbidden(said).and_then(push));
    }
    for (mode, checks) in &said.modes {
        let Some(is) = is_mode(discriminator, mode, "self") else {
            continue;
        };
        let last = checks.iter().rposition(|check| check.stops);
        let skips = |check: &Check| {
            check.facet == Facet::Optional
                || check.facet == Facet::Required && check.standing == Enforcement::Hidden
        };
        let unset = checks.iter().any(|check| check.stops && skips(check));
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
    check: &Check,
    member: &Member,
    guard: &str,
    unchanged: &dyn Fn(&str) -> Option<String>,
    push: &dyn Fn(Demand) -> Option<ValidationRule>,
) -> Option<Vec<ValidationRule>> {
    if check.facet == Facet::Immutable && check.wraps.is_empty() {
        let mut rule = format!("{guard} || ({})", unchanged("oldSelf")?);
        if lower.options.profile == Profile::Kep {
            rule = format!("!{} || {rule}", member.is_set("oldSelf")?);
        }
        return Some(vec![update::at(
            member,
            super::rule_of(&rule, "field is immutable"),
        )]);
    }
    if is_change(&check.facet) {
        let rules = update::between(lower, &check.facet, member, ("self", "oldSelf"))?;
        let guarded = |mut rule: ValidationRule| {
            rule.rule = format!("{guard} || ({})", rule.rule).into();
            update::at(member, rule)
        };
        return Some(rules.into_iter().map(guarded).collect());
    }
    let asked = constraint::of_member(lower, &check.facet, &check.wraps, member, "self", 0)?;
    let guarded = asked
        .into_iter()
        .map(|one| push(one.map(|holds| format!("{guard} || ({holds})"))));
    guarded.collect()
}

/// Whether the discriminator of `of` selects a mode.
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
fn forbidden(said: &Said) -> Option<Demand> {
    let member = &said.member;
    let modes: Vec<String> = said
        .modes
        .iter()
        .filter_map(|(mode, _)| is_mode(&said.discriminator, mode, "self"))
        .collect();
    let mut terms = modes;
    terms.push(format!("!{}", member.is_set("self")?));
    Some(Demand {
        reason: Some("FieldValueForbidden"),
        ..Demand::new(terms.join(" || "), format!("{} must not be set", member.name))
    })
}

/// Conditions under which the members of `of` reject it as a new value: something is immutable in its mode.
pub(crate) fn refusals(lower: &Lower<'_>, id: TypeId, of: &str) -> Vec<Refusal> {
    let mut found = Vec::new();
    // The KEP lets a value be set once.
    if lower.options.profile == Profile::Kep {
        return found;
    }
    for call in moded_members(lower, id) {
        let Body::Mode(mode) = &call.decided(|_| None).call.body else {
            continue;
        };
        let said = Said::new(lower, mode);
        for (mode, checks) in &said.modes {
            let fixed =
                |check: &Check| check.facet == Facet::Immutable && check.standing == Enforcement::Enforced;
            if checks.iter().any(fixed) {
                let when = is_mode(&said.discriminator, mode, of);
                found.extend(when.map(|when| Refusal {
                    when,
                    message: IMMUTABLE,
                }));
            }
        }
    }
    found
}
