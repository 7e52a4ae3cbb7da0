//! Rules about values that an update may not add.
//!
//! A transition rule sees a value and its old value. A new value has no old value, so its rules are placed on
//! the struct around it, which existed before: a new value is rejected if it contains something that is
//! immutable or cannot be set.

use kindsmith_schema::{
    Facet, Field, FieldId, JsonSchema, Owner, Part, Place, Rule, TypeRef, ValidationRule, Wrap,
};

use super::cel_text::transition_of;
use super::change::is_change;
use super::enforcement::enforced;
use super::identity::Identity;
use super::presence::{Member, Zero};
use super::reach::{is_opaque, scalar_or_list};
use super::reading::Reading;
use super::refusal::{ALWAYS, IMMUTABLE, Refusal, Refusals, by_message};
use super::selector::picked;
use super::site::Site;
use super::{equal, rejected_additions, unique};

/// Rules on the enclosing struct; `None` if CEL cannot express them.
type Rules = Option<Vec<ValidationRule>>;

/// Adds the rules on values added in a member of a struct.
pub(crate) fn on_member(
    reading: &mut Reading<'_>,
    id: FieldId,
    field: &Field,
    member: &Member,
    parent: &mut JsonSchema,
) {
    let made = rules(reading, field, member);
    add(reading, Owner::Field(id).part(Part::Name), made, member, parent);
}

/// Like `on_member`, for a rule on a member of a member.
pub(crate) fn on_sub(
    reading: &mut Reading<'_>,
    site: Site,
    (facet, wraps): (&Facet, &[Wrap]),
    member: &Member,
    parent: &mut JsonSchema,
) {
    if is_change(facet) {
        let made = sub_rules(reading, (facet, wraps), member);
        add(reading, site.place(), made, member, parent);
    }
}

fn sub_rules(reading: &Reading<'_>, rule: (&Facet, &[Wrap]), member: &Member) -> Rules {
    let refused = of_element(reading, rule, member, &element(reading, member))?;
    let mut rules = with_list(reading, rule, member)?;
    rules.extend(list_rule(reading, member, refused)?);
    Some(rules)
}

fn add(reading: &mut Reading<'_>, place: Place, made: Rules, member: &Member, parent: &mut JsonSchema) {
    match made {
        Some(rules) => {
            let rules = rules.into_iter().map(|rule| member.at(rule));
            parent.validations.extend(rules);
        }
        None => reading.unenforced(place, "what an update may not bring in"),
    }
}

fn rules(reading: &Reading<'_>, field: &Field, member: &Member) -> Rules {
    if member.inner(reading.view).is_some() {
        let mut made = Vec::new();
        for (_, rule, wraps) in
            enforced(reading.switches, &field.rules).chain(of_list_type(reading, field, member))
        {
            made.extend(with_list(reading, (&rule.facet, &wraps), member)?);
        }
        made.extend(list_rule(reading, member, elements(reading, field, member)?)?);
        return Some(made);
    }
    // The rules of a named scalar type apply like the field's own.
    let is_struct = scalar_or_list(reading.view, &field.ty).is_none() && !is_opaque(field);
    let name = match &member.cel {
        Some(name) if member.zero == Zero::Absent && is_struct => name,
        _ => return Some(Vec::new()),
    };
    let refused = rejected_additions::of_type(reading, &member.ty, &format!("self.{name}"), 0)?;
    let rule = |Refusal { when, message }| {
        let allowed = format!("!has(self.{name}) || has(oldSelf.{name}) || !({when})");
        transition_of(&allowed, message)
    };
    Some(by_message(refused).into_iter().map(rule).collect())
}

/// An immutable item cannot be added together with its list. If the list existed before, its own rule checks
/// that.
fn with_list(reading: &Reading<'_>, (facet, wraps): (&Facet, &[Wrap]), member: &Member) -> Rules {
    let (Facet::Immutable, [Wrap::Item(selector)]) = (facet, wraps) else {
        return Some(Vec::new());
    };
    let name = member.cel.as_deref()?;
    let picked = picked(reading, selector, member, "item")?;
    let allowed = format!("!has(self.{name}) || has(oldSelf.{name}) || !self.{name}.exists(item, {picked})");
    Some(vec![transition_of(&allowed, IMMUTABLE)])
}

/// The rules of a list or map that reject new elements.
fn list_rule(reading: &Reading<'_>, member: &Member, refused: Vec<Refusal>) -> Rules {
    if refused.is_empty() {
        return Some(Vec::new());
    }
    let name = member.cel.as_deref()?;
    let between = (&*format!("self.{name}"), &*format!("oldSelf.{name}"));
    let rule = |Refusal { when, message }: Refusal| {
        let allowed = known_elements(reading, member, between, &when)?;
        Some(transition_of(&allowed, message))
    };
    by_message(refused).into_iter().map(rule).collect()
}

/// An element of the list or map in a member, as the variable `item`.
fn element(reading: &Reading<'_>, member: &Member) -> String {
    if member.is_map(reading.view) {
        format!("self.{}[item]", member.cel.as_deref().unwrap_or_default())
    } else {
        "item".to_owned()
    }
}

/// No element of a list or map is rejected as new, or it existed before.
fn known_elements(
    reading: &Reading<'_>,
    member: &Member,
    (new, old): (&str, &str),
    refused: &str,
) -> Option<String> {
    let all = |known: String| {
        let rest = match refused {
            ALWAYS => String::new(),
            some => format!(" || !({some})"),
        };
        format!("!has({new}) || {new}.all(item, (has({old}) && {known}){rest})")
    };
    if member.is_map(reading.view) {
        return Some(all(format!("item in {old}")));
    }
    if member.identity == Identity::Atomic {
        let none = match refused {
            ALWAYS => format!("size({new}) == 0"),
            some => format!("!{new}.exists(item, {some})"),
        };
        let same = equal::values(reading, member, new, old)?;
        return Some(format!("!has({new}) || (has({old}) && {same}) || {none}"));
    }
    Some(all(unique::is_known(reading, member, "item", old)?))
}

/// The conditions that reject an element of a list or map: from the field's rules on its elements, and from
/// their type.
fn elements(reading: &Reading<'_>, field: &Field, member: &Member) -> Refusals {
    let (inner, each) = (member.inner(reading.view)?, element(reading, member));
    let mut found = Vec::new();
    for (_, rule, wraps) in
        enforced(reading.switches, &field.rules).chain(of_list_type(reading, field, member))
    {
        found.extend(of_element(reading, (&rule.facet, &wraps), member, &each)?);
    }
    if !is_opaque(field) {
        found.extend(rejected_additions::of_type(reading, &inner.ty, &each, 1)?);
    }
    Some(found)
}

/// The rules of a field's named list or map type, if they count there.
fn of_list_type<'l>(
    reading: &'l Reading<'_>,
    field: &Field,
    member: &Member,
) -> impl Iterator<Item = (usize, &'l Rule, Vec<Wrap>)> {
    let rules = match reading.view.unalias(&member.ty) {
        TypeRef::Named(id) if !is_opaque(field) => &reading.schema.ty(*id).rules[..],
        _ => &[],
    };
    enforced(reading.switches, rules)
}

/// The conditions that reject an element by a rule on its list or map.
fn of_element(
    reading: &Reading<'_>,
    (facet, wraps): (&Facet, &[Wrap]),
    list: &Member,
    each: &str,
) -> Refusals {
    let inner = &list.inner(reading.view)?;
    match wraps {
        // Checked together with immutability (see `update::elements` and `with_list`).
        [Wrap::EachVal | Wrap::Item(_)] if *facet == Facet::Immutable => Some(Vec::new()),
        [Wrap::EachVal, rest @ ..] => rejected_additions::by_rule(reading, facet, rest, inner, each, 1),
        [Wrap::Item(selector), rest @ ..] if is_change(facet) => {
            let picked = picked(reading, selector, list, each)?;
            let refused = rejected_additions::by_rule(reading, facet, rest, inner, each, 1)?;
            Some(refused.iter().map(|one| one.and(&picked)).collect())
        }
        _ => Some(Vec::new()),
    }
}
