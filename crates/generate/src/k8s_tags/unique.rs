//! Uniqueness of the items of atomic lists, and which items of two lists are the same.
//!
//! Sets and list maps of a CRD are unique by their type. An atomic list has no keyword for it, so a rule
//! compares every item with every other; `maxItems` bounds the cost.

use kindsmith_schema::{Facet, Rule, Str, UniqueKind};

use super::demand::Demand;
use super::identity::Identity;
use super::presence::Member;
use super::reading::Reading;

/// The condition of `unique` on the list `of`, whose declaration has these rules; `None` if CEL cannot
/// express it.
pub(crate) fn on_list(
    reading: &Reading<'_>,
    kind: UniqueKind,
    rules: &[Rule],
    keys: &[&Str],
    list: &Member,
    of: &str,
) -> Option<Vec<Demand>> {
    let is_custom = |rule: &Rule| rule.is_plain() && rule.facet == Facet::CustomUnique;
    if rules.iter().any(is_custom) {
        return Some(Vec::new());
    }
    let keys = match kind {
        UniqueKind::Set => &[],
        UniqueKind::Map => keys,
    };
    let inner = list.inner(reading.view)?;
    Some(vec![demand(reading, &inner, keys, of)?])
}

/// No two items of `of` are equal, or have equal keys if there are keys.
pub(crate) fn demand(reading: &Reading<'_>, item: &Member, keys: &[&Str], of: &str) -> Option<Demand> {
    let same = match keys {
        [] => "item == other".to_owned(),
        keys => same_keys(reading, item, keys, "item", "other")?,
    };
    let mut made = Demand::new(
        format!("{of}.all(item, {of}.exists_one(other, {same}))"),
        "items must be unique",
    );
    made.reason = Some("FieldValueDuplicate");
    Some(made)
}

/// Two items have the same keys; absent keys are zero.
pub(crate) fn same_keys(
    reading: &Reading<'_>,
    item: &Member,
    keys: &[&Str],
    one: &str,
    other: &str,
) -> Option<String> {
    let same = |key: &&Str| {
        let member = item.sub(reading, key)?;
        let name = member.cel.as_deref()?;
        Some(match (member.value(one), member.value(other)) {
            (Some(left), Some(right)) => format!("{left} == {right}"),
            _ => format!(
                "has({one}.{name}) == has({other}.{name}) && (!has({one}.{name}) || {one}.{name} == {other}.{name})"
            ),
        })
    };
    let terms: Option<Vec<String>> = keys.iter().map(same).collect();
    terms
        .filter(|terms| !terms.is_empty())
        .map(|terms| terms.join(" && "))
}

/// Whether the list `of` has an item that matches `item`; `None` if items cannot be matched.
pub(crate) fn is_known(reading: &Reading<'_>, list: &Member, item: &str, of: &str) -> Option<String> {
    match &list.identity {
        Identity::Atomic => None,
        Identity::Set => Some(format!("{item} in {of}")),
        Identity::Map { keys, present } => {
            let same = if *present {
                plain_keys(keys, item, "known")?
            } else {
                let keys: Vec<&Str> = keys.iter().collect();
                same_keys(reading, &list.inner(reading.view)?, &keys, item, "known")?
            };
            Some(format!("{of}.exists(known, {same})"))
        }
    }
}

fn plain_keys(keys: &[Str], one: &str, other: &str) -> Option<String> {
    let same = |key: &Str| {
        let key = kindsmith_cel::escape::escape(key)?;
        Some(format!("{one}.{key} == {other}.{key}"))
    };
    let terms: Option<Vec<String>> = keys.iter().map(same).collect();
    terms
        .filter(|terms| !terms.is_empty())
        .map(|terms| terms.join(" && "))
}
