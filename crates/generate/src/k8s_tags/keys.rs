//! Rules on the keys of maps. Keys have no schema of their own, so the rules are on the map.

use kindsmith_schema::{Facet, JsonSchema, Owner, Rule, TypeRef, ValidationRule, WithoutOld, Wrap};

use super::cel_text::rule_of;
use super::constraint;
use super::enforcement::enforced;
use super::presence::Member;
use super::reach::has_opaque;
use super::reading::Reading;
use super::site::Site;

/// Applies the tags of the key type to the keys of a map.
pub(crate) fn of_type(reading: &mut Reading<'_>, member: &Member, rules: &[Rule], node: &mut JsonSchema) {
    let TypeRef::Map(key, _) = reading.view.underlying(&member.ty) else {
        return;
    };
    let TypeRef::Named(id) = reading.view.unalias(key) else {
        return;
    };
    if has_opaque(rules, |wrap| *wrap == Wrap::EachKey) {
        return;
    }
    let of = Member::always_set(reading.view, key);
    for (index, rule, wraps) in enforced(reading.switches, &reading.schema.ty(*id).rules) {
        let site = Site {
            owner: Owner::Type(*id),
            index,
        };
        add(reading, site, (&rule.facet, &wraps), &of, node);
    }
}

/// Adds a condition on each key.
pub(crate) fn add(
    reading: &mut Reading<'_>,
    site: Site,
    (facet, wraps): (&Facet, &[Wrap]),
    key: &Member,
    node: &mut JsonSchema,
) {
    match constraint::of_value(reading, facet, wraps, key, "key", 0) {
        Some(asked) => {
            let rules = asked.iter().map(|one| on_new(&one.holds, &one.message));
            node.validations.extend(rules);
        }
        None => reading.unenforced(site.place(), "the rule on keys"),
    }
}

/// A rule on new keys of a map; old ones are accepted.
fn on_new(expression: &str, message: &str) -> ValidationRule {
    let known = "oldSelf.hasValue() && key in oldSelf.value()";
    ValidationRule {
        optional_old_self: Some(true),
        without_old: WithoutOld::Plain(format!("self.all(key, {expression})").into()),
        ..rule_of(&format!("self.all(key, {expression} || {known})"), message)
    }
}
