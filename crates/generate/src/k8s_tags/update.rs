//! What an update may not change: immutable, the five constraints of `update`, monotonic.

use kindsmith_checks::Profile;
use kindsmith_schema::{Facet, FieldId, JsonSchema, Owner, Rule, UpdateConstraint, WithoutOld, Wrap};

use super::cel_text::transition_of;
use super::enforcement::{Enforcement, decide};
use super::identity::Identity;
use super::presence::Member;
use super::reading::Reading;
use super::site::Site;
use super::transition::between;
use super::{change, equal};

/// Rules on a member of a struct: they are on the struct, which sees when the member is set and unset.
pub(crate) fn on_member(
    reading: &mut Reading<'_>,
    site: Site,
    facet: &Facet,
    member: &Member,
    node: &mut JsonSchema,
    parent: &mut JsonSchema,
) {
    if *facet == Facet::Immutable {
        // controller-gen's own reading of the tag, which does not see when a member is set.
        node.validations
            .retain(|rule| rule.without_old != WithoutOld::Immutable);
    }
    match between(reading, facet, member, ("self", "oldSelf")) {
        Some(rules) => parent
            .validations
            .extend(rules.into_iter().map(|rule| member.at(rule))),
        None => reading.unenforced(site.place(), "what an update may not do"),
    }
}

/// The constraints of a field form one check; the first tag decides its level and condition.
pub(crate) fn constraints(
    reading: &mut Reading<'_>,
    id: FieldId,
    rules: &[Rule],
    member: &Member,
    node: &mut JsonSchema,
    parent: &mut JsonSchema,
) {
    let Some((index, standing, wraps, all)) = merged(reading, rules) else {
        return;
    };
    let site = Site {
        owner: Owner::Field(id),
        index,
    };
    match (standing, &wraps[..]) {
        (Enforcement::Enforced, []) => on_member(reading, site, &Facet::Update(all), member, node, parent),
        (Enforcement::Enforced, _) => reading.unenforced(site.place(), "what an update may not do"),
        _ => {}
    }
}

/// The first of a field's `update` tags, its state, and the constraints of all.
pub(crate) fn merged(
    reading: &Reading<'_>,
    rules: &[Rule],
) -> Option<(usize, Enforcement, Vec<Wrap>, Vec<UpdateConstraint>)> {
    let (mut first, mut all) = (None, Vec::new());
    for (index, rule) in kindsmith_checks::in_order(rules) {
        if let (Facet::Update(constraints), None) = (&rule.facet, rule.scope().next()) {
            let (standing, wraps) = decide(reading.switches, rule);
            first.get_or_insert((index as usize, standing, wraps));
            all.extend_from_slice(constraints);
        }
    }
    all.sort_unstable();
    all.dedup();
    let (index, standing, wraps) = first?;
    Some((index, standing, wraps, all))
}

/// Rules of a member's type: they do not apply to an optional member that is unset.
pub(crate) fn of_type(
    reading: &mut Reading<'_>,
    site: Site,
    facet: &Facet,
    member: &Member,
    node: &mut JsonSchema,
    parent: &mut JsonSchema,
) {
    let from = parent.validations.len();
    on_member(reading, site, facet, member, node, parent);
    if let Some(set) = member.is_set("self").filter(|_| member.optional) {
        for made in &mut parent.validations[from..] {
            made.rule = format!("!{set} || ({})", made.rule).into();
        }
    }
}

/// Rules on a value without an enclosing struct: an element, or a type wherever it is used. A new value has
/// no old value to compare with; the enclosing value checks it.
pub(crate) fn on_value(
    reading: &mut Reading<'_>,
    site: Site,
    facet: &Facet,
    member: &Member,
    node: &mut JsonSchema,
) {
    match change::of_element(reading, facet, member, ("self", "oldSelf")) {
        Some(rules) => node.validations.extend(rules),
        None => reading.unenforced(site.place(), "what an update may not do"),
    }
}

/// Rules on an embedded struct: none of its members may change.
pub(crate) fn on_embedded(
    reading: &mut Reading<'_>,
    site: Site,
    facet: &Facet,
    embedded: &Member,
    node: &mut JsonSchema,
) {
    let same = |reading: &Reading<'_>| -> Option<Vec<String>> {
        let (_, fields) = reading.view.members(&embedded.ty)?;
        let all = fields.iter().filter(|field| !field.json.skip);
        // Structs embedded further down have no name to access them by.
        all.map(|field| {
            if field.is_inline() {
                None
            } else {
                equal::members(reading, &Member::new(reading, field), ("self", "oldSelf"))
            }
        })
        .collect()
    };
    // controller-gen's own reading of the tag, which applies to all members of the parent.
    node.validations
        .retain(|rule| rule.without_old != WithoutOld::Immutable);
    match change::freezes(facet).and_then(|text| Some((text, same(reading)?))) {
        Some((text, same)) if !same.is_empty() => {
            node.validations
                .push(transition_of(&format!("({})", same.join(") && (")), text));
        }
        _ => reading.unenforced(site.place(), "what an update may not do"),
    }
}

/// Whether immutable elements may be added, so that each value has its own rule: values of maps, by the KEPs.
pub(crate) fn only_known(reading: &Reading<'_>, member: &Member) -> bool {
    reading.profile == Profile::Kep && member.is_map(reading.view)
}

/// No element changes or is added.
pub(crate) fn elements(reading: &mut Reading<'_>, site: Site, member: &Member, parent: &mut JsonSchema) {
    match same_elements(reading, member) {
        Some(rule) => parent
            .validations
            .push(member.at(transition_of(&rule, "field is immutable"))),
        None => reading.unenforced(site.place(), "that elements do not change"),
    }
}

fn same_elements(reading: &Reading<'_>, member: &Member) -> Option<String> {
    let name = member.cel.as_deref()?;
    let (new, old) = (format!("self.{name}"), format!("oldSelf.{name}"));
    let all = |known: String| format!("!has({new}) || {new}.all(item, has({old}) && {known})");
    if member.is_map(reading.view) {
        let (value, known) = (format!("{new}[item]"), format!("{old}[item]"));
        let same = equal::values(reading, &member.inner(reading.view)?, &value, &known)?;
        return Some(all(format!("item in {old} && {same}")));
    }
    Some(match &member.identity {
        Identity::Atomic => {
            let same = equal::values(reading, member, &new, &old)?;
            format!("!{} || (has({old}) && {same})", member.is_set("self")?)
        }
        // An equal item has equal keys too.
        Identity::Set | Identity::Map { .. } => {
            let same = equal::values(reading, &member.inner(reading.view)?, "item", "known")?;
            all(match &*same {
                "item == known" => format!("item in {old}"),
                same => format!("{old}.exists(known, {same})"),
            })
        }
    })
}
