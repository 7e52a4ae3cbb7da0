//! Bounds given by another member: rules on the struct that holds both.

use kindsmith_schema::{Bound, Facet, Limit, Str, TypeId, TypeRef, ValidationRule, Wrap};

use super::group::ratcheted;
use super::presence::{Member, Zero};
use super::{equal, update};
use crate::controller_gen::lower::Lower;

const OLD: &str = "oldSelf.value()";

/// A bound given by another member, and whether it is a lower one; `None` for other rules.
pub(crate) fn bound(facet: &Facet) -> Option<(&Bound, bool)> {
    let (bound, at_least) = match facet {
        Facet::Minimum(bound) => (bound, true),
        Facet::Maximum(bound) => (bound, false),
        _ => return None,
    };
    matches!(bound.limit, Limit::Field(_)).then_some((bound, at_least))
}

/// A rule on the struct `holder`: a member, or each of its elements, is within the bound.
pub(crate) fn rule(
    lower: &Lower<'_>,
    holder: TypeId,
    (bound, at_least): (&Bound, bool),
    wraps: &[Wrap],
    member: &Member,
) -> Option<ValidationRule> {
    let Limit::Field(names) = &bound.limit else {
        return None;
    };
    let (limit, old_limit) = (
        Other::new(lower, holder, names, "self")?,
        Other::new(lower, holder, names, OLD)?,
    );
    let (sign, words) = match (at_least, bound.exclusive) {
        (true, false) => (">=", "greater than or equal to"),
        (true, true) => (">", "greater than"),
        (false, false) => ("<=", "less than or equal to"),
        (false, true) => ("<", "less than"),
    };
    let (guard, value) = compared(lower, wraps, member)?;
    let mut terms: Vec<String> = limit.absent().into_iter().chain(guard).collect();
    terms.push(value(&format!("{sign} {}", limit.value)));
    let mut unchanged: Vec<String> = old_limit.present.iter().cloned().collect();
    unchanged.push(equal::members(lower, member, ("self", OLD))?);
    unchanged.push(format!("{} == {}", limit.value, old_limit.value));
    let mut made = ratcheted(&unchanged.join(" && "), &terms.join(" || "), "");
    // Without a bound nothing is compared, so a failure always has one.
    made.message_expression = format!("'must be {words} %s'.format([{}])", limit.value).into();
    Some(update::at(member, made))
}

/// Turns a comparison of one value into that of all compared values.
type Compared = Box<dyn Fn(&str) -> String>;

/// The condition for skipping the comparison, and the compared values.
fn compared(lower: &Lower<'_>, wraps: &[Wrap], member: &Member) -> Option<(Option<String>, Compared)> {
    let here = format!("self.{}", member.cel.as_deref()?);
    let absent = format!("!has({here})");
    let is_number = |of: &Member| matches!(of.kind, Zero::Number | Zero::Float);
    match wraps {
        [Wrap::EachVal] => {
            member.inner(lower.view).filter(is_number)?;
            let element = if member.is_map(lower.view) {
                format!("{here}[item]")
            } else {
                "item".to_owned()
            };
            let all = move |to: &str| format!("{here}.all(item, {element} {to})");
            Some((Some(absent), Box::new(all)))
        }
        [] if !is_number(member) => None,
        [] if member.zero == Zero::Absent => Some((Some(absent), Box::new(move |to| format!("{here} {to}")))),
        [] => {
            let value = member.value("self")?;
            Some((None, Box::new(move |to| format!("{value} {to}"))))
        }
        _ => None,
    }
}

/// The member whose value is the bound, in CEL.
struct Other {
    /// The condition that the bound exists, if it may be absent; then nothing is compared.
    present: Option<String>,
    value: String,
}

impl Other {
    fn new(lower: &Lower<'_>, holder: TypeId, names: &[Str], of: &str) -> Option<Self> {
        let mut here = Member::always_set(lower.view, &TypeRef::Named(holder));
        let (mut path, mut steps, mut present) = (of.to_owned(), Vec::new(), None);
        for name in names {
            here = here.sub(lower, name)?;
            path = format!("{path}.{}", here.cel.as_deref()?);
            steps.push(format!("has({path})"));
            if here.zero == Zero::Absent {
                present = Some(steps.join(" && "));
            }
        }
        let zero = match here.kind {
            Zero::Number => "0",
            Zero::Float => "0.0",
            _ => return None,
        };
        let value = match here.zero {
            Zero::Absent => path,
            // In Go, an absent value is zero.
            _ => format!("({} ? {path} : {zero})", steps.join(" && ")),
        };
        Some(Self { present, value })
    }

    fn absent(&self) -> Option<String> {
        self.present.as_ref().map(|present| format!("!({present})"))
    }
}
