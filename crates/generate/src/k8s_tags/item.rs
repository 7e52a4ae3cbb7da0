//! Rules on the list item that a selector picks.

use kindsmith_cel::escape::escape;
use kindsmith_schema::{Facet, JsonSchema, Literal, Selector, Wrap};

use super::constraint::{self, Demand, is_change};
use super::identity::Identity;
use super::presence::{Member, Zero};
use super::{change, value};
use crate::controller_gen::lower::Lower;

/// Adds the condition on the item to the schema of the list; returns whether CEL can express it.
pub(crate) fn add(
    lower: &Lower<'_>,
    facet: &Facet,
    wraps: &[Wrap],
    (selector, list): (&Selector, &Member),
    node: &mut JsonSchema,
) -> Option<()> {
    if is_change(facet) {
        let rules = change::of_item(lower, facet, wraps, selector, list)?;
        node.validations.extend(rules);
        return Some(());
    }
    // Unchanged items are checked again when others change: a search in the old list, which may be absent,
    // has unbounded cost.
    let asked = constraint::of_item(lower, facet, wraps, (selector, list), "self", 0)?;
    node.validations.extend(asked.iter().map(Demand::rule));
    Some(())
}

/// The negation of a selector.
pub(crate) fn other(picked: &str) -> String {
    match picked.split_once(" == ") {
        // One comparison is cheaper than a negated one.
        Some((key, wanted)) if !picked.contains(" && ") && !picked.contains(" || ") => {
            format!("{key} != {wanted}")
        }
        _ => format!("!({picked})"),
    }
}

/// Whether a selector picks `of`, an item of a list, in CEL.
pub(crate) fn picked(lower: &Lower<'_>, selector: &Selector, list: &Member, of: &str) -> Option<String> {
    let item = list.inner(lower.view)?;
    let is_there = matches!(list.identity, Identity::Map { present: true, .. });
    let is = |(key, wanted): &(kindsmith_schema::Str, Literal)| {
        let name = escape(key)?;
        let (wanted, zero) = match wanted {
            Literal::Str(text) => (value::quoted(text), text.is_empty()),
            Literal::Int(number) => (number.to_string(), *number == 0),
            Literal::Bool(truth) => (truth.to_string(), !truth),
        };
        // An absent key is zero, unless it is a pointer.
        let may_be_zero = item.sub(lower, key).is_some_and(|key| key.zero != Zero::Absent);
        Some(match (is_there, zero && may_be_zero) {
            (true, _) => format!("{of}.{name} == {wanted}"),
            (false, true) => format!("(!has({of}.{name}) || {of}.{name} == {wanted})"),
            (false, false) => format!("has({of}.{name}) && {of}.{name} == {wanted}"),
        })
    };
    let terms: Option<Vec<String>> = selector.0.iter().map(is).collect();
    terms
        .filter(|terms| !terms.is_empty())
        .map(|terms| terms.join(" && "))
}
