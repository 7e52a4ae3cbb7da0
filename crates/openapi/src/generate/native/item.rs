//! Rules on the item of a list that a selector picks.

use kindsmith_cel::escape::escape;
use kindsmith_schema::{Facet, JsonSchema, Literal, Selector, Wrap};

use super::demand::{self, is_change};
use super::group::ratcheted;
use super::presence::{Member, Zero};
use super::{change, equal, value};
use crate::generate::lower::Lower;

/// Adds what a rule asks of the item to the schema of the list; says whether CEL can say it.
pub(super) fn add(
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
    let inner = list.inner(lower.view)?;
    let picked = picked(lower, selector, &inner, "item")?;
    // The item, or the member of it that is looked at, is not while it stays as it was.
    let first = |of: &str| format!("{of}.filter(item, {picked})[0]");
    let (new, old) = (first("self"), first("oldSelf.value()"));
    let same = match wraps {
        [Wrap::Subfield(name), ..] => equal::members(lower, &inner.sub(lower, name)?, (&new, &old))?,
        _ => equal::values(lower, &inner, &new, &old)?,
    };
    let unchanged =
        format!("self.exists(item, {picked}) && oldSelf.value().exists(item, {picked}) && {same}");
    for asked in demand::of_item(lower, facet, wraps, (selector, list), "self", 0)? {
        let mut rule = ratcheted(&unchanged, &asked.holds, &asked.message);
        rule.reason = asked.reason.map(Into::into);
        node.validations.push(rule);
    }
    Some(())
}

/// A selector as messages show it.
pub(super) fn text(selector: &Selector) -> String {
    let each = |(key, wanted): &(kindsmith_schema::Str, Literal)| match wanted {
        Literal::Str(text) => format!("\"{key}\": {}", kindsmith_scalar::quote::quote(text)),
        Literal::Int(number) => format!("\"{key}\": {number}"),
        Literal::Bool(truth) => format!("\"{key}\": {truth}"),
    };
    let parts: Vec<String> = selector.0.iter().map(each).collect();
    format!("{{{}}}", parts.join(", "))
}

/// Whether a selector picks `of`, in CEL.
pub(super) fn picked(lower: &Lower<'_>, selector: &Selector, item: &Member, of: &str) -> Option<String> {
    let is = |(key, wanted): &(kindsmith_schema::Str, Literal)| {
        let name = escape(key)?;
        let (wanted, zero) = match wanted {
            Literal::Str(text) => (value::quoted(text), text.is_empty()),
            Literal::Int(number) => (number.to_string(), *number == 0),
            Literal::Bool(truth) => (truth.to_string(), !truth),
        };
        let may_be_absent = item.sub(lower, key).is_some_and(|key| key.zero != Zero::Absent);
        Some(match zero && may_be_absent {
            // An absent key is zero.
            true => format!("(!has({of}.{name}) || {of}.{name} == {wanted})"),
            false => format!("has({of}.{name}) && {of}.{name} == {wanted}"),
        })
    };
    let terms: Option<Vec<String>> = selector.0.iter().map(is).collect();
    terms
        .filter(|terms| !terms.is_empty())
        .map(|terms| terms.join(" && "))
}
