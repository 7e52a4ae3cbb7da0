//! `modeDiscriminator` and `ifMode`: the rules of a member depend on a sibling. A member without a rule for
//! the current mode must not be set.

use kindsmith_checks::{Body, Call, Leaf, Mode, Profile};
use kindsmith_schema::{
    Facet, Family, JsonSchema, Level, Owner, Part, Place, Rule, Str, TypeId, ValidationRule, Wrap,
};

use super::cel_text::transition_of;
use super::cel_text::{quoted, ratcheted};
use super::change::is_change;
use super::demand::Demand;
use super::enforcement::{Enforcement, decide, inside_mode};
use super::presence::{Member, Zero};
use super::reading::Reading;
use super::refusal::{IMMUTABLE, Refusal};
use super::{constraint, equal, transition};

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

/// Adds the rules of a struct's modes.
pub(crate) fn on_struct(reading: &mut Reading<'_>, id: TypeId, node: &mut JsonSchema) {
    let switches = reading.switches;
    for call in moded_members(reading, id) {
        let decided = call.decided(|name| switches.get(name));
        let Body::Mode(mode) = &decided.call.body else {
            continue;
        };
        match (decided.enforcement, call.rule.filter(|_| decided.conditional)) {
            (Enforcement::Off, _) => {}
            (_, Some(place)) => reading.unenforced(place, "modes under a condition"),
            (_, None) => {
                let (rules, left_out) = rules(reading, &Said::new(reading, mode));
                node.validations.extend(rules);
                for place in left_out {
                    reading.unenforced(place, "the rule under a mode");
                }
            }
        }
    }
}

/// The checks of a struct's members by mode, in the order of members.
fn moded_members(reading: &Reading<'_>, id: TypeId) -> Vec<Call> {
    let mut calls = reading.struct_calls(id);
    calls.sort_by_key(|call| match &call.decided(|_| None).call.body {
        Body::Mode(mode) => mode.field.index,
        _ => 0,
    });
    calls
}

impl Said {
    fn new(reading: &Reading<'_>, mode: &Mode) -> Self {
        let member = |id| Member::new(reading, reading.schema.field(id));
        let modes = mode.rules.iter().map(|(name, calls)| {
            let mut checks: Vec<Check> = calls.iter().filter_map(|call| check(reading, call)).collect();
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
fn check(reading: &Reading<'_>, call: &Call) -> Option<Check> {
    let place = call.rule?;
    let (Owner::Field(id), Part::Rule(index)) = (place.owner, place.part) else {
        return None;
    };
    let rule = reading.schema.field(id).rules.get(index as usize)?;
    let facet = match call.body {
        // An optional member with a default is required.
        Body::Leaf(Leaf::Required) => Facet::Required,
        _ => rule.facet.clone(),
    };
    let mut inner = Rule::new(Family::Declarative, facet);
    inner.wraps = inside_mode(rule)?.to_vec();
    let (standing, wraps) = decide(reading.switches, &inner);
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
fn rules(reading: &Reading<'_>, said: &Said) -> (Vec<ValidationRule>, Vec<Place>) {
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
            equal::members(reading, member, ("self", old))?
        ))
    };
    let push = |asked: Demand| -> Option<ValidationRule> {
        let mut rule = ratcheted(&unchanged("oldSelf.value()")?, &asked.holds, &asked.message);
        rule.reason = asked.reason.map(Into::into);
        Some(member.at(rule))
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
            match of_check(reading, check, member, &guard, &unchanged, &push) {
                Some(rules) => made.extend(rules),
                None => left_out.push(check.place),
            }
        }
    }
    (made, left_out)
}

fn of_check(
    reading: &Reading<'_>,
    check: &Check,
    member: &Member,
    guard: &str,
    unchanged: &dyn Fn(&str) -> Option<String>,
    push: &dyn Fn(Demand) -> Option<ValidationRule>,
) -> Option<Vec<ValidationRule>> {
    if check.facet == Facet::Immutable && check.wraps.is_empty() {
        let mut rule = format!("{guard} || ({})", unchanged("oldSelf")?);
        if reading.profile == Profile::Kep {
            rule = format!("!{} || {rule}", member.is_set("oldSelf")?);
        }
        return Some(vec![member.at(transition_of(&rule, "field is immutable"))]);
    }
    if is_change(&check.facet) {
        let rules = transition::between(reading, &check.facet, member, ("self", "oldSelf"))?;
        let guarded = |mut rule: ValidationRule| {
            rule.rule = format!("{guard} || ({})", rule.rule).into();
            member.at(rule)
        };
        return Some(rules.into_iter().map(guarded).collect());
    }
    let asked = constraint::of_member(reading, &check.facet, &check.wraps, member, "self", 0)?;
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
pub(crate) fn refusals(reading: &Reading<'_>, id: TypeId, of: &str) -> Vec<Refusal> {
    let mut found = Vec::new();
    // The KEP lets a value be set once.
    if reading.profile == Profile::Kep {
        return found;
    }
    for call in moded_members(reading, id) {
        let Body::Mode(mode) = &call.decided(|_| None).call.body else {
            continue;
        };
        let said = Said::new(reading, mode);
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
