//! What an update may not do to one item of a list: add, remove or change it. The rules are on the struct around the list,
//! which sees a list that comes and goes.

use kindsmith_checks::item_constraints;
use kindsmith_schema::{JsonSchema, Rule, Selector, UpdateConstraint, ValidationRule, Wrap};

use super::cel_text::transition_of;
use super::equal;
use super::presence::Member;
use super::reading::Reading;
use super::selector::picked;
use super::site::Site;

/// Adds such a rule on an item of the list in a member to the struct around it; says whether it is one.
pub(crate) fn is_added(
    reading: &mut Reading<'_>,
    site: Site,
    (rule, wraps): (&Rule, &[Wrap]),
    list: &Member,
    parent: &mut JsonSchema,
) -> bool {
    let [Wrap::Item(selector)] = wraps else {
        return false;
    };
    match item_constraints(site.rules(reading), rule, reading.profile) {
        Some(constraints) => {
            add(reading, site, &constraints, (selector, list), parent);
            true
        }
        None => false,
    }
}

fn add(
    reading: &mut Reading<'_>,
    site: Site,
    constraints: &[UpdateConstraint],
    (selector, list): (&Selector, &Member),
    parent: &mut JsonSchema,
) {
    let rules: Option<Vec<ValidationRule>> = constraints
        .iter()
        .map(|constraint| made(reading, *constraint, selector, list))
        .collect();
    match rules {
        Some(rules) => parent
            .validations
            .extend(rules.into_iter().map(|rule| list.at(rule))),
        None => reading.unenforced(site.place(), "what an update may not do to an item"),
    }
}

fn made(
    reading: &Reading<'_>,
    constraint: UpdateConstraint,
    selector: &Selector,
    list: &Member,
) -> Option<ValidationRule> {
    let name = list.cel.as_deref()?;
    let (new, old) = (format!("self.{name}"), format!("oldSelf.{name}"));
    let picked = picked(reading, selector, list, "item")?;
    let is_in = |of: &str| format!("(has({of}) && {of}.exists(item, {picked}))");
    let (now, before) = (is_in(&new), is_in(&old));
    let (allowed, message) = match constraint {
        UpdateConstraint::NoSet => (format!("!{now} || {before}"), "item may not be added"),
        UpdateConstraint::NoAddItem => (
            format!("!{now} || {before} || !{}", list.is_set("oldSelf")?),
            "item may not be added",
        ),
        UpdateConstraint::NoUnset | UpdateConstraint::NoRemoveItem => {
            (format!("!{before} || {now}"), "item may not be removed")
        }
        UpdateConstraint::NoModify => {
            let first = |of: &str| format!("{of}.filter(item, {picked})[0]");
            let same = equal::values(reading, &list.inner(reading.view)?, &first(&new), &first(&old))?;
            return Some(transition_of(
                &format!("!{now} || !{before} || {same}"),
                "field cannot be modified once set",
            ));
        }
    };
    let mut made = transition_of(&allowed, message);
    made.reason = Some("FieldValueForbidden".into());
    Some(made)
}
