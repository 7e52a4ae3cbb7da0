//! Rules on the list item that a selector picks.

use kindsmith_schema::{Facet, JsonSchema, Selector, Wrap};

use super::change::{self, is_change};
use super::constraint;
use super::demand::Demand;
use super::presence::Member;
use super::reading::Reading;

/// Adds the condition on the item to the schema of the list; returns whether CEL can express it.
pub(crate) fn add(
    reading: &Reading<'_>,
    facet: &Facet,
    wraps: &[Wrap],
    (selector, list): (&Selector, &Member),
    node: &mut JsonSchema,
) -> Option<()> {
    if is_change(facet) {
        let rules = change::of_item(reading, facet, wraps, selector, list)?;
        node.validations.extend(rules);
        return Some(());
    }
    // Unchanged items are checked again when others change: a search in the old list, which may be absent,
    // has unbounded cost.
    let asked = constraint::of_item(reading, facet, wraps, (selector, list), "self", 0)?;
    node.validations.extend(asked.iter().map(Demand::rule));
    Some(())
}
