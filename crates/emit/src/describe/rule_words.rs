//! Rules of Go types in words: their checks and wrappers.

use std::collections::HashSet;

use kindsmith_schema::{Condition, Facet, Level, ListType, Rule, Selector, UniqueKind, Wrap};

use super::Fact;
use super::facet::{facet, literal, quoted};
use super::siblings::Siblings;

/// Rules in words: list keys joined with their list, limits of one kind on one line.
#[must_use]
pub fn rules<'r>(rules: impl IntoIterator<Item = &'r Rule>, siblings: Siblings<'_>) -> Vec<Fact> {
    let rules: Vec<&Rule> = rules.into_iter().collect();
    let mut facts: Vec<Fact> = Vec::new();
    for one in &rules {
        let fact = match &one.facet {
            Facet::ListMapKey(_) if rules.iter().any(|other| is_list_of(other, one)) => None,
            Facet::ListType(ListType::Map) | Facet::Unique(UniqueKind::Map) => keyed(one, &rules, siblings),
            _ => rule(one, siblings),
        };
        if let Some(fact) = fact
            && !facts.contains(&fact)
        {
            facts.push(fact);
        }
    }
    together(facts)
}

/// Whether a rule declares the list whose items the other rule gives a key.
fn is_list_of(rule: &Rule, key: &Rule) -> bool {
    let is_list = matches!(
        rule.facet,
        Facet::ListType(ListType::Map) | Facet::Unique(UniqueKind::Map)
    );
    is_list && rule.scope().eq(key.scope())
}

/// A list whose items are identified by keys.
fn keyed(list: &Rule, rules: &[&Rule], siblings: Siblings<'_>) -> Option<Fact> {
    let keys = rules.iter().filter(|rule| rule.scope().eq(list.scope()));
    let keys = keys.filter_map(|rule| match &rule.facet {
        Facet::ListMapKey(key) => Some(key),
        _ => None,
    });
    // Families of tags repeat the same rule for different tools.
    let mut seen = HashSet::new();
    let keys: Vec<_> = keys.filter(|key| seen.insert(*key)).collect();
    if keys.is_empty() {
        return rule(list, siblings);
    }
    let text = format!("items are known by {}, which no two share", quoted(&keys));
    Some(wrapped(Fact::new("list", text), list, siblings))
}

/// Limits of one kind on one line, the lower one first.
fn together(facts: Vec<Fact>) -> Vec<Fact> {
    let mut joined: Vec<Fact> = Vec::new();
    for fact in facts {
        let joins = matches!(fact.label, "bounds" | "length" | "size" | "patch") && is_plain(&fact);
        let earlier = joined
            .iter_mut()
            .find(|earlier| joins && earlier.label == fact.label && is_plain(earlier));
        match earlier {
            Some(earlier) if is_lower(&fact.text) => {
                earlier.text = format!("{}, {}", fact.text, earlier.text);
            }
            Some(earlier) => earlier.text = format!("{}, {}", earlier.text, fact.text),
            None => joined.push(fact),
        }
    }
    joined
}

/// Whether a limit has no condition, level or place.
fn is_plain(fact: &Fact) -> bool {
    !fact.text.contains([':', '(']) && !fact.text.contains(", if ")
}

fn is_lower(text: &str) -> bool {
    text.starts_with("at least") || text.starts_with("greater than")
}

/// One rule in words; `None` for those without effect on values.
#[must_use]
pub fn rule(rule: &Rule, siblings: Siblings<'_>) -> Option<Fact> {
    // Rules on a nested value refer to its own surroundings.
    let around = match rule.scope().next() {
        Some(_) => Siblings::default(),
        None => siblings,
    };
    Some(wrapped(facet(&rule.facet, around)?, rule, siblings))
}

/// A description with place, condition and level.
fn wrapped(mut fact: Fact, rule: &Rule, siblings: Siblings<'_>) -> Fact {
    for wrap in rule.wraps.iter().rev() {
        let text = &fact.text;
        fact.text = match wrap {
            Wrap::If(condition) => format!("{text}, if {}", condition_words(condition, siblings)),
            Wrap::EachVal => format!("each value: {text}"),
            Wrap::EachKey => format!("each key: {text}"),
            Wrap::Subfield(name) => format!("`{name}`: {text}"),
            Wrap::Item(selector) => format!("the item with {}: {text}", selector_words(selector)),
            Wrap::Level { .. } => continue,
        };
    }
    if let Some(words) = level_words(rule) {
        fact.text = format!("{} ({words})", fact.text);
    }
    fact
}

/// The outermost level, which is the one that counts.
fn level_words(rule: &Rule) -> Option<String> {
    let (level, since) = rule.wraps.iter().find_map(|wrap| match wrap {
        Wrap::Level { level, since } => Some((*level, *since)),
        _ => None,
    })?;
    let (name, meaning) = match level {
        Level::Alpha => ("alpha", "checked but not enforced"),
        Level::Beta => ("beta", "enforced unless switched off"),
        Level::Stable => return None,
    };
    Some(match since {
        Some(since) => format!("{name} since {}.{}: {meaning}", since.major, since.minor),
        None => format!("{name}: {meaning}"),
    })
}

fn condition_words(condition: &Condition, siblings: Siblings<'_>) -> String {
    match condition {
        Condition::Option { name, enabled: true } => format!("the option `{name}` is on"),
        Condition::Option { name, enabled: false } => format!("the option `{name}` is off"),
        Condition::Mode { modality, mode } => match siblings.mode(modality) {
            Some(field) => format!("`{field}` is {mode:?}"),
            None => format!("the mode is {mode:?}"),
        },
        Condition::Subresource { path, matches: true } => format!("`{path}` is written"),
        Condition::Subresource { path, matches: false } => format!("`{path}` is not written"),
    }
}

fn selector_words(selector: &Selector) -> String {
    let pairs: Vec<String> = selector
        .0
        .iter()
        .map(|(key, value)| format!("{key} {}", literal(value)))
        .collect();
    pairs.join(" and ")
}

#[cfg(test)]
mod tests;
