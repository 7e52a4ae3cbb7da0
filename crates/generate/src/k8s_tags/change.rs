//! Transition rules for one pair of values: an item that a selector picks, and its old value.

use kindsmith_schema::{Facet, Selector, UpdateConstraint, ValidationRule, Wrap};

use super::cel_text::transition_of;
use super::presence::{Member, Zero};
use super::reading::Reading;
use super::selector::picked;
use super::{equal, transition};

/// What an update may not change in the item that a selector picks. These are rules on the list; they apply
/// if the list existed before (see [`super::added_values`] for a new one).
pub(crate) fn of_item(
    reading: &Reading<'_>,
    facet: &Facet,
    wraps: &[Wrap],
    selector: &Selector,
    list: &Member,
) -> Option<Vec<ValidationRule>> {
    let inner = list.inner(reading.view)?;
    let picked = picked(reading, selector, list, "item")?;
    let (new, old) = (
        format!("self.filter(item, {picked})"),
        format!("oldSelf.filter(item, {picked})"),
    );
    let is_new = format!("!self.exists(item, {picked}) || !oldSelf.exists(item, {picked})");
    // If several items have the same keys, the first counts.
    let first = |of: &str| format!("{of}[0]");
    let made = match (facet, wraps) {
        (_, []) => {
            let spared = match facet {
                // An immutable item may not be added either.
                Facet::Immutable => format!("!self.exists(item, {picked})"),
                _ => is_new,
            };
            let same = match &*equal::values(reading, &inner, &first(&new), &first(&old))? {
                same if same == format!("{} == {}", first(&new), first(&old)) => format!("{new} == {old}"),
                // If it did not exist, there is no first.
                same => format!("(oldSelf.exists(item, {picked}) && {same})"),
            };
            vec![transition_of(&format!("{spared} || {same}"), freezes(facet)?)]
        }
        (_, [Wrap::Subfield(name)]) => {
            let member = inner.sub(reading, name)?;
            let rules = transition::between(reading, facet, &member, (&first(&new), &first(&old)))?;
            let guarded = |rule: ValidationRule| ValidationRule {
                rule: format!("{is_new} || ({})", rule.rule).into(),
                ..without_expression(rule)
            };
            rules.into_iter().map(guarded).collect()
        }
        _ => return None,
    };
    Some(made)
}

/// The message of a rule under which a value may not change at all; `None` for other rules.
pub(crate) fn freezes(facet: &Facet) -> Option<&'static str> {
    match facet {
        Facet::Immutable => Some("field is immutable"),
        // What has no name of its own is never unset.
        Facet::Update(constraints)
            if constraints.contains(&UpdateConstraint::NoModify)
                && constraints
                    .iter()
                    .all(|one| matches!(one, UpdateConstraint::NoModify | UpdateConstraint::NoUnset)) =>
        {
            Some("field cannot be modified once set")
        }
        _ => None,
    }
}

/// A message expression would cost as much as the rule itself.
fn without_expression(mut rule: ValidationRule) -> ValidationRule {
    if !rule.message_expression.is_empty() {
        rule.message_expression = "".into();
        rule.message = "may not be decreased".into();
    }
    rule
}

/// What an update may not change in `new`, an element whose old value is `old`.
pub(crate) fn of_element(
    reading: &Reading<'_>,
    facet: &Facet,
    member: &Member,
    (new, old): (&str, &str),
) -> Option<Vec<ValidationRule>> {
    match facet {
        Facet::Monotonic if member.kind == Zero::Number => Some(vec![transition::decreased(new, old)]),
        Facet::Monotonic => None,
        Facet::Update(constraints) => {
            let words = constraints.iter();
            let made: Option<Vec<_>> = words
                .map(|word| constraint_of_element(reading, *word, member, (new, old)))
                .collect();
            Some(made?.into_iter().flatten().collect())
        }
        facet => {
            let text = freezes(facet)?;
            Some(vec![transition_of(
                &equal::values(reading, member, new, old)?,
                text,
            )])
        }
    }
}

/// One constraint of an element: `None` if CEL cannot express it, no rule if it never fails.
fn constraint_of_element(
    reading: &Reading<'_>,
    constraint: UpdateConstraint,
    member: &Member,
    (new, old): (&str, &str),
) -> Option<Option<ValidationRule>> {
    let zero = match member.kind {
        // A struct, or a pointer that is not null, is always set.
        _ if member.is_pointer => None,
        Zero::Text => Some("''"),
        Zero::Number => Some("0"),
        Zero::Float => Some("0.0"),
        Zero::Truth => Some("false"),
        Zero::Empty if constraint != UpdateConstraint::NoModify => return None,
        _ => None,
    };
    let same = || equal::values(reading, member, new, old);
    let made = match (constraint, zero) {
        (UpdateConstraint::NoSet, Some(zero)) => Some((
            format!("{old} != {zero} || {new} == {zero}"),
            "field cannot be set once created",
        )),
        (UpdateConstraint::NoUnset, Some(zero)) => Some((
            format!("{old} == {zero} || {new} != {zero}"),
            "field cannot be cleared once set",
        )),
        (UpdateConstraint::NoSet | UpdateConstraint::NoUnset, None) => None,
        (UpdateConstraint::NoModify, Some(zero)) => Some((
            format!("{old} == {zero} || {new} == {zero} || {}", same()?),
            "field cannot be modified once set",
        )),
        (UpdateConstraint::NoModify, None) => Some((same()?, "field cannot be modified once set")),
        (UpdateConstraint::NoAddItem | UpdateConstraint::NoRemoveItem, _) => return None,
    };
    Some(made.map(|(rule, message)| transition_of(&rule, message)))
}

/// Whether a rule is about the changes of an update, not about a value.
pub(crate) fn is_change(facet: &Facet) -> bool {
    matches!(facet, Facet::Immutable | Facet::Update(_) | Facet::Monotonic)
}
