//! What an update may not change in a member of a struct: conditions on the new and the old struct.

use kindsmith_checks::Profile;
use kindsmith_schema::{Facet, UpdateConstraint, ValidationRule};

use super::cel_text::transition_of;
use super::identity::Identity;
use super::presence::{Member, Zero};
use super::reading::Reading;
use super::{equal, unique};

/// What an update may not change in a member of `new`, whose old value is `old`: conditions on those two.
pub(crate) fn between(
    reading: &Reading<'_>,
    facet: &Facet,
    member: &Member,
    (new, old): (&str, &str),
) -> Option<Vec<ValidationRule>> {
    match facet {
        Facet::Immutable => immutable(reading, member, (new, old)),
        Facet::Monotonic => monotonic(member, (new, old)),
        Facet::Update(constraints) => constraints
            .iter()
            .map(|one| constraint(reading, *one, member, (new, old)))
            .collect(),
        _ => None,
    }
}

fn immutable(reading: &Reading<'_>, member: &Member, between: (&str, &str)) -> Option<Vec<ValidationRule>> {
    let mut same = equal::members(reading, member, between)?;
    if reading.profile == Profile::Kep {
        same = format!("!{} || ({same})", member.is_set(between.1)?);
    }
    Some(vec![transition_of(&same, "field is immutable")])
}

fn monotonic(member: &Member, (new, old): (&str, &str)) -> Option<Vec<ValidationRule>> {
    if member.kind != Zero::Number {
        return None;
    }
    let name = member.cel.as_deref()?;
    let (value, old_value) = match member.zero {
        Zero::Absent => {
            let mut made = decreased(&format!("{new}.{name}"), &format!("{old}.{name}"));
            made.rule = format!("!has({new}.{name}) || !has({old}.{name}) || {}", made.rule).into();
            return Some(vec![made]);
        }
        _ => (member.value(new)?, member.value(old)?),
    };
    let mut made = decreased(&value, &old_value);
    if member.optional {
        made.rule = format!("!{} || {}", member.is_set(new)?, made.rule).into();
    }
    Some(vec![made])
}

pub(crate) fn decreased(new: &str, old: &str) -> ValidationRule {
    let mut made = transition_of(&format!("{new} >= {old}"), "");
    // A concatenation of strings has unbounded cost, even of numbers.
    made.message_expression = format!("'may not be decreased from %d'.format([{old}])").into();
    made
}

fn constraint(
    reading: &Reading<'_>,
    constraint: UpdateConstraint,
    member: &Member,
    (new, old): (&str, &str),
) -> Option<ValidationRule> {
    let (now, before) = (member.is_set(new)?, member.is_set(old)?);
    let name = member.cel.as_deref()?;
    Some(match constraint {
        UpdateConstraint::NoSet => {
            transition_of(&format!("{before} || !{now}"), "field cannot be set once created")
        }
        UpdateConstraint::NoUnset => {
            transition_of(&format!("!{before} || {now}"), "field cannot be cleared once set")
        }
        UpdateConstraint::NoModify => {
            let same = match member.zero {
                Zero::Never => equal::members(reading, member, (new, old))?,
                _ => {
                    let (new, old) = (format!("{new}.{name}"), format!("{old}.{name}"));
                    format!(
                        "!{before} || !{now} || {}",
                        equal::values(reading, member, &new, &old)?
                    )
                }
            };
            transition_of(&same, "field cannot be modified once set")
        }
        UpdateConstraint::NoAddItem => {
            let mut made = items(reading, member, (new, old), "item may not be added")?;
            // The KEP calls the step from no items to some "set".
            if reading.profile == Profile::Kep {
                made.rule = format!("!{before} || ({})", made.rule).into();
            }
            made
        }
        UpdateConstraint::NoRemoveItem => items(reading, member, (old, new), "item may not be removed")?,
    })
}

/// All items of the member of `one` are in that of `other`.
fn items(
    reading: &Reading<'_>,
    member: &Member,
    (one, other): (&str, &str),
    message: &str,
) -> Option<ValidationRule> {
    let name = member.cel.as_deref()?;
    let (one, other) = (format!("{one}.{name}"), format!("{other}.{name}"));
    let is_kep = reading.profile == Profile::Kep;
    let known = match &member.identity {
        _ if member.is_map(reading.view) => format!("item in {other}"),
        // The KEP finds items of any list by their value.
        Identity::Atomic if is_kep => format!("item in {other}"),
        _ => unique::is_known(reading, member, "item", &other)?,
    };
    let mut made = transition_of(
        &format!("!has({one}) || {one}.all(item, has({other}) && {known})"),
        message,
    );
    made.reason = Some("FieldValueForbidden".into());
    Some(made)
}
