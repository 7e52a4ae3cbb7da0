//! Bounds given by another member: rules on the struct that holds both.

use kindsmith_schema::{Bound, Facet, Limit, Str, TypeId, TypeRef, ValidationRule, Wrap};

use super::cel_text::{ratcheted, variable};
use super::equal;
use super::presence::{Member, Zero};
use super::reading::Reading;
use super::selector::{self, picked};

const OLD: &str = "oldSelf.value()";

/// A bound given by another member, and whether it is a reading one; `None` for other rules.
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
    reading: &Reading<'_>,
    holder: TypeId,
    (bound, at_least): (&Bound, bool),
    wraps: &[Wrap],
    member: &Member,
) -> Option<ValidationRule> {
    let Limit::Field(names) = &bound.limit else {
        return None;
    };
    let (limit, old_limit) = (
        Other::new(reading, holder, names, "self")?,
        Other::new(reading, holder, names, OLD)?,
    );
    let (sign, words) = match (at_least, bound.exclusive) {
        (true, false) => (">=", "greater than or equal to"),
        (true, true) => (">", "greater than"),
        (false, false) => ("<=", "less than or equal to"),
        (false, true) => ("<", "less than"),
    };
    let mut terms: Vec<String> = limit.absent().into_iter().collect();
    let to = format!("{sign} {}", limit.value);
    terms.push(compared(reading, wraps, member, "self", &to, 0)?);
    let mut unchanged: Vec<String> = old_limit.present.iter().cloned().collect();
    unchanged.push(equal::members(reading, member, ("self", OLD))?);
    unchanged.push(format!("{} == {}", limit.value, old_limit.value));
    let mut made = ratcheted(&unchanged.join(" && "), &terms.join(" || "), "");
    // Without a bound nothing is compared, so a failure always has one.
    made.message_expression = format!("'must be {words} %s'.format([{}])", limit.value).into();
    Some(member.at(made))
}

/// The condition that all values that wrappers lead to, from a member of `of`, compare as `to` says.
fn compared(
    reading: &Reading<'_>,
    wraps: &[Wrap],
    member: &Member,
    of: &str,
    to: &str,
    depth: usize,
) -> Option<String> {
    let here = format!("{of}.{}", member.cel.as_deref()?);
    let is_number = |of: &Member| matches!(of.kind, Zero::Number | Zero::Float);
    let each = variable(depth);
    match wraps {
        [] if !is_number(member) => None,
        [] if member.zero == Zero::Absent => Some(format!("!has({here}) || {here} {to}")),
        [] => Some(format!("{} {to}", member.value(of)?)),
        [Wrap::Subfield(name), rest @ ..] => {
            let sub = member.sub(reading, name)?;
            let holds = compared(reading, rest, &sub, &here, to, depth)?;
            Some(format!("!has({here}) || ({holds})"))
        }
        [Wrap::EachVal, rest @ ..] => {
            let element = if member.is_map(reading.view) {
                format!("{here}[{each}]")
            } else {
                each.clone()
            };
            let holds = of_element(reading, rest, &member.inner(reading.view)?, &element, to, depth)?;
            Some(format!("!has({here}) || {here}.all({each}, {holds})"))
        }
        [Wrap::Item(selector), rest @ ..] => {
            let other = selector::other(&picked(reading, selector, member, &each)?);
            let holds = of_element(reading, rest, &member.inner(reading.view)?, &each, to, depth)?;
            Some(format!(
                "!has({here}) || {here}.all({each}, {other} || ({holds}))"
            ))
        }
        _ => None,
    }
}

/// The same for an element.
fn of_element(
    reading: &Reading<'_>,
    wraps: &[Wrap],
    element: &Member,
    of: &str,
    to: &str,
    depth: usize,
) -> Option<String> {
    match wraps {
        [] if matches!(element.kind, Zero::Number | Zero::Float) => Some(format!("{of} {to}")),
        [Wrap::Subfield(name), rest @ ..] => {
            compared(reading, rest, &element.sub(reading, name)?, of, to, depth + 1)
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

/// The member with this name, also of an embedded struct.
fn within(reading: &Reading<'_>, holder: &Member, name: &str, depth: usize) -> Option<Member> {
    let embedded = || {
        let (_, fields) = reading.view.members(&holder.ty)?;
        let mut inline = fields.iter().filter(|field| field.is_inline() && depth < 16);
        inline.find_map(|field| {
            within(
                reading,
                &Member::always_set(reading.view, &field.ty),
                name,
                depth + 1,
            )
        })
    };
    holder.sub(reading, name).or_else(embedded)
}

impl Other {
    fn new(reading: &Reading<'_>, holder: TypeId, names: &[Str], of: &str) -> Option<Self> {
        let mut here = Member::always_set(reading.view, &TypeRef::Named(holder));
        let (mut path, mut steps, mut present) = (of.to_owned(), Vec::new(), None);
        for name in names {
            here = within(reading, &here, name, 0)?;
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
