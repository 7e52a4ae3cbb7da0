//! Rules on the keys of maps. Keys have no schema of their own, so the rules are on the map.

use kindsmith_schema::{Facet, JsonSchema, Owner, Rule, TypeRef, ValidationRule, Wrap};

use super::enforcement::enforced;
use super::presence::Member;
use super::{Site, constraint, has_opaque, rule_of};
use crate::controller_gen::lower::Lower;

/// Applies the tags of the key type to the keys of a map.
pub(crate) fn of_type(lower: &mut Lower<'_>, member: &Member, rules: &[Rule], node: &mut JsonSchema) {
    let TypeRef::Map(key, _) = lower.view.underlying(&member.ty) else {
        return;
    };
    let TypeRef::Named(id) = lower.view.unalias(key) else {
        return;
    };
    if has_opaque(rules, |wrap| *wrap == Wrap::EachKey) {
        return;
    }
    let of = Member::always_set(lower.view, key);
    for (index, rule, wraps) in enforced(lower.options, &lower.schema.ty(*id).rules) {
        let site = Site {
            owner: Owner::Type(*id),
            index,
        };
        add(lower, site, (&rule.facet, &wraps), &of, node);
    }
}

/// Adds a condition on each key.
pub(crate) fn add(
    lower: &mut Lower<'_>,
    site: Site,
    (facet, wraps): (&Facet, &[Wrap]),
    key: &Member,
    node: &mut JsonSchema,
) {
    match constraint::of_value(lower, facet, wraps, key, "key", 0) {
        Some(asked) => {
            let rules = asked.iter().map(|one| on_new(&one.holds, &one.message));
            node.validations.extend(rules);
        }
        None => lower.unenforced(site.place(), "the rule on keys"),
    }
}

/// A rule on new keys of a map; old ones are accepted.
fn on_new(expression: &str, message: &str) -> ValidationRule {
    let known = "oldSelf.hasValue() && key in oldSelf.value()";
    ValidationRule {
        optional_old_self: Some(true),
        ..rule_of(&format!("self.all(key, {expression} || {known})"), message)
    }
}
