//! The condition that a rule sets for a value nested below a CEL rule, as an expression.
//!
//! Keywords express it in place; this is for places without keywords: the item that a selector picks, members
//! under a mode, keys. Transition rules set no condition for a single value (see [`super::change`]).

use kindsmith_schema::{Facet, ListType, Selector, UniqueKind, Wrap};

use super::cel_text::variable;
use super::change::is_change;
use super::demand::Demand;
use super::presence::{Member, Zero};
use super::reading::Reading;
use super::selector::picked;
use super::{format, selector, unique, value};

/// The condition of a rule on `of`, a value that is present. `None` if CEL cannot express it.
pub(crate) fn of_value(
    reading: &Reading<'_>,
    facet: &Facet,
    wraps: &[Wrap],
    member: &Member,
    of: &str,
    depth: usize,
) -> Option<Vec<Demand>> {
    let Some((first, rest)) = wraps.split_first() else {
        return plain(reading, facet, member, of);
    };
    let each = variable(depth);
    match first {
        Wrap::EachVal => {
            let inner = member.inner(reading.view)?;
            let element = if member.is_map(reading.view) {
                format!("{of}[{each}]")
            } else {
                each.clone()
            };
            let asked = of_value(reading, facet, rest, &inner, &element, depth + 1)?;
            Some(for_all(asked, of, &each))
        }
        Wrap::EachKey => {
            let asked = of_value(reading, facet, rest, &Member::text(), &each, depth + 1)?;
            Some(for_all(asked, of, &each))
        }
        Wrap::Subfield(name) => of_member(reading, facet, rest, &member.sub(reading, name)?, of, depth),
        Wrap::Item(selector) => of_item(reading, facet, rest, (selector, member), of, depth),
        Wrap::If(_) | Wrap::Level { .. } => None,
    }
}

fn for_all(asked: Vec<Demand>, of: &str, each: &str) -> Vec<Demand> {
    let every = |one: Demand| one.map(|holds| format!("{of}.all({each}, {holds})"));
    asked.into_iter().map(every).collect()
}

/// The condition of a rule on the list item that a selector picks.
pub(crate) fn of_item(
    reading: &Reading<'_>,
    facet: &Facet,
    wraps: &[Wrap],
    (selector, list): (&Selector, &Member),
    of: &str,
    depth: usize,
) -> Option<Vec<Demand>> {
    let (inner, each) = (list.inner(reading.view)?, variable(depth));
    let picked = picked(reading, selector, list, &each)?;
    let other = selector::other(&picked);
    // An item that its key selects is set.
    if *facet == Facet::Forbidden && wraps.is_empty() {
        return Some(vec![Demand {
            reason: Some("FieldValueForbidden"),
            ..Demand::new(format!("{of}.all({each}, {other})"), "must not be set")
        }]);
    }
    let asked = of_value(reading, facet, wraps, &inner, &each, depth + 1)?;
    let only = |one: Demand| one.map(|holds| format!("{of}.all({each}, {other} || {holds})"));
    Some(asked.into_iter().map(only).collect())
}

/// The condition of a rule on a member of `of`, which may be absent.
pub(crate) fn of_member(
    reading: &Reading<'_>,
    facet: &Facet,
    wraps: &[Wrap],
    member: &Member,
    of: &str,
    depth: usize,
) -> Option<Vec<Demand>> {
    let (name, set) = (member.cel.as_deref()?, member.is_set(of)?);
    match (facet, wraps) {
        (Facet::Required, []) => {
            return Some(vec![Demand {
                reason: Some("FieldValueRequired"),
                ..Demand::new(set, format!("{} must be set", member.name))
            }]);
        }
        (Facet::Forbidden, []) => {
            return Some(vec![Demand {
                reason: Some("FieldValueForbidden"),
                ..Demand::new(format!("!{set}"), format!("{} must not be set", member.name))
            }]);
        }
        _ => {}
    }
    let here = format!("{of}.{name}");
    let of_zero = |zero_fails: bool| match (member.optional, zero_fails) {
        (true, _) => format!("!{set} || "),
        (false, true) => format!("has({here}) && "),
        (false, false) => format!("!has({here}) || "),
    };
    let (value, around) = match (member.zero, member.value(of)) {
        (Zero::Absent | Zero::Never | Zero::Opaque, _) => (here.clone(), of_zero(false)),
        (Zero::Empty, _) => {
            let fails = wraps.is_empty() && value::zero_fails(reading, facet, member);
            (here.clone(), of_zero(fails))
        }
        (_, Some(_)) if wraps.is_empty() && !member.optional => {
            let fails = matches!(facet, Facet::Test(_)) || value::zero_fails(reading, facet, member);
            (here.clone(), of_zero(fails))
        }
        (_, Some(value)) if !member.optional => (value, String::new()),
        _ => (here.clone(), of_zero(false)),
    };
    let asked = of_value(reading, facet, wraps, member, &value, depth)?;
    let guarded = |one: Demand| one.map(|holds| format!("({around}{holds})"));
    Some(asked.into_iter().map(guarded).collect())
}

/// The condition of a rule on the value itself.
fn plain(reading: &Reading<'_>, facet: &Facet, member: &Member, of: &str) -> Option<Vec<Demand>> {
    match facet {
        Facet::Optional
        | Facet::OpaqueType
        | Facet::CustomUnique
        | Facet::ListMapKey(_)
        | Facet::ListType(ListType::Atomic)
        | Facet::DeclarativeValidationNative => Some(Vec::new()),
        Facet::Test(check) if !check.fails || check.non_error => Some(Vec::new()),
        facet if is_change(facet) => Some(Vec::new()),
        Facet::Unique(UniqueKind::Set) | Facet::ListType(ListType::Set) => {
            let inner = member.inner(reading.view)?;
            Some(vec![unique::demand(reading, &inner, &[], of)?])
        }
        Facet::Format(name) => format::demands(name, of),
        _ => {
            let (holds, message) = value::expression(reading, facet, of, member)?;
            Some(vec![Demand::new(holds, message)])
        }
    }
}
