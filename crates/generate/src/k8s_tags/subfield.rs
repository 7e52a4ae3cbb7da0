//! Rules of a declaration on a member of its struct.

use kindsmith_schema::{Facet, JsonSchema, Rule, Str, Wrap};

use super::apply::apply;
use super::identity::Identity;
use super::presence::Member;
use super::{Site, added_values, addition, dependent, item_update, presence, update, value};
use crate::controller_gen::lower::Lower;

/// Adds a rule on the member `name` of a struct.
pub(crate) fn add(
    lower: &mut Lower<'_>,
    site: Site,
    (rule, wraps): (&Rule, &[Wrap]),
    (holder, name): (&Member, &Str),
    node: &mut JsonSchema,
) {
    let Some(mut sub) = holder.sub(lower, name) else {
        lower.unenforced(site.place(), "the rule on a member");
        return;
    };
    if let Some(identity) = Identity::said(site.rules(lower), &[Wrap::Subfield(name.clone())]) {
        sub.identity = identity;
    }
    let (mut below, mut around) = (addition(), addition());
    let is_added = item_update::is_added(lower, site, (rule, wraps), &sub, &mut around);
    match (&rule.facet, wraps) {
        _ if is_added => {}
        (Facet::Immutable | Facet::Update(_) | Facet::Monotonic, []) => {
            update::on_member(lower, site, &rule.facet, &sub, &mut below, &mut around);
        }
        (Facet::Immutable, [Wrap::EachVal]) if !update::only_known(lower, &sub) => {
            update::elements(lower, site, &sub, &mut around);
        }
        (Facet::DependentRequired(other) | Facet::DependentForbidden(other), []) => {
            let wanted = matches!(rule.facet, Facet::DependentRequired(_));
            let other = holder.sub(lower, other);
            match other.and_then(|other| dependent::between(&sub, &other, wanted)) {
                Some(rule) => around.validations.push(rule),
                None => lower.unenforced(site.place(), "what one member asks of another"),
            }
        }
        (Facet::Forbidden, []) => value::forbid(&sub, &mut below),
        (Facet::Required, []) => presence::demand(&sub, &mut below, &mut around),
        (Facet::Optional, []) => {}
        _ => {
            added_values::on_sub(lower, site, (&rule.facet, wraps), &sub, &mut around);
            let fails = apply(lower, site, rule, wraps, &sub, &mut below);
            if fails && sub.may_be_absent() {
                around.required.push(name.clone());
            }
        }
    }
    around.properties.push((name.clone(), below));
    node.all_of.push(around);
}
