//! Selectors of list items in CEL.

use kindsmith_cel::escape::escape;
use kindsmith_schema::{Literal, Selector, Str};

use super::cel_text::quoted;
use super::identity::Identity;
use super::presence::{Member, Zero};
use super::reading::Reading;

/// Whether a selector picks `of`, an item of a list, in CEL.
pub(crate) fn picked(reading: &Reading<'_>, selector: &Selector, list: &Member, of: &str) -> Option<String> {
    let item = list.inner(reading.view)?;
    let is_there = matches!(list.identity, Identity::Map { present: true, .. });
    let is = |(key, wanted): &(Str, Literal)| {
        let name = escape(key)?;
        let (wanted, zero) = match wanted {
            Literal::Str(text) => (quoted(text), text.is_empty()),
            Literal::Int(number) => (number.to_string(), *number == 0),
            Literal::Bool(truth) => (truth.to_string(), !truth),
        };
        // An absent key is zero, unless it is a pointer.
        let may_be_zero = item.sub(reading, key).is_some_and(|key| key.zero != Zero::Absent);
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
