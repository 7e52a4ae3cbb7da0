//! Uniqueness of the items of atomic lists.
//!
//! Sets and list maps of a CRD are unique by their type. An atomic list has no keyword for it, so a rule
//! compares every item with every other; `maxItems` bounds the cost.

use kindsmith_schema::{Facet, Family, Rule, Str, UniqueKind, Wrap};

use super::constraint::Demand;
use super::presence::Member;
use crate::controller_gen::lower::Lower;

/// The condition of `unique` on the list `of`, whose declaration has these rules; `None` if CEL cannot
/// express it.
pub(crate) fn on_list(
    lower: &Lower<'_>,
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
    let inner = list.inner(lower.view)?;
    Some(vec![demand(lower, &inner, keys, of)?])
}

/// The key members of a list, from the rules of a scope.
pub(crate) fn keys<'r>(rules: &'r [Rule], scope: &[Wrap]) -> Vec<&'r Str> {
    let key = |rule: &'r Rule| match &rule.facet {
        Facet::ListMapKey(key) if rule.family == Family::Native && rule.scope().eq(scope) => Some(key),
        _ => None,
    };
    rules.iter().filter_map(key).collect()
}

/// No two items of `of` are equal, or have equal keys if there are keys.
pub(crate) fn demand(lower: &Lower<'_>, item: &Member, keys: &[&Str], of: &str) -> Option<Demand> {
    let same = match keys {
        [] => "item == other".to_owned(),
        keys => same_keys(lower, item, keys, "item", "other")?,
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
    lower: &Lower<'_>,
    item: &Member,
    keys: &[&Str],
    one: &str,
    other: &str,
) -> Option<String> {
    let same = |key: &&Str| {
        let member = item.sub(lower, key)?;
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
