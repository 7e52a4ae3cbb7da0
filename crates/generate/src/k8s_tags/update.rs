//! What an update may not change: immutable, the five constraints of `update`, monotonic.

use kindsmith_checks::Profile;
use kindsmith_schema::{Facet, FieldId, JsonSchema, Owner, Rule, UpdateConstraint, ValidationRule, Wrap};

use super::enforcement::{self, Enforcement};
use super::identity::Identity;
use super::presence::{Member, Zero};
use super::{Site, change, equal, rule_of};
use crate::controller_gen::lower::Lower;

/// Rules on a member of a struct: they are on the struct, which sees when the member is set and unset.
pub(crate) fn on_member(
    lower: &mut Lower<'_>,
    site: Site,
    facet: &Facet,
    member: &Member,
    node: &mut JsonSchema,
    parent: &mut JsonSchema,
) {
    if *facet == Facet::Immutable {
        // controller-gen's own reading of the tag, which does not see when a member is set.
        node.validations
            .retain(|rule| &*rule.message != "field is immutable");
    }
    match between(lower, facet, member, ("self", "oldSelf")) {
        Some(rules) => parent
            .validations
            .extend(rules.into_iter().map(|rule| at(member, rule))),
        None => lower.unenforced(site.place(), "what an update may not do"),
    }
}

/// The constraints of a field form one check; the first tag decides its level and condition.
pub(crate) fn constraints(
    lower: &mut Lower<'_>,
    id: FieldId,
    rules: &[Rule],
    member: &Member,
    node: &mut JsonSchema,
    parent: &mut JsonSchema,
) {
    let Some((index, standing, wraps, all)) = merged(lower, rules) else {
        return;
    };
    let site = Site {
        owner: Owner::Field(id),
        index,
    };
    match (standing, &wraps[..]) {
        (Enforcement::Enforced, []) => on_member(lower, site, &Facet::Update(all), member, node, parent),
        (Enforcement::Enforced, _) => lower.unenforced(site.place(), "what an update may not do"),
        _ => {}
    }
}

/// The first of a field's `update` tags, its state, and the constraints of all.
pub(crate) fn merged(
    lower: &Lower<'_>,
    rules: &[Rule],
) -> Option<(usize, Enforcement, Vec<Wrap>, Vec<UpdateConstraint>)> {
    let (mut first, mut all) = (None, Vec::new());
    for (index, rule) in kindsmith_checks::in_order(rules) {
        if let (Facet::Update(constraints), None) = (&rule.facet, rule.scope().next()) {
            let (standing, wraps) = enforcement::decide(lower.options, rule);
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
    lower: &mut Lower<'_>,
    site: Site,
    facet: &Facet,
    member: &Member,
    node: &mut JsonSchema,
    parent: &mut JsonSchema,
) {
    let from = parent.validations.len();
    on_member(lower, site, facet, member, node, parent);
    if let Some(set) = member.is_set("self").filter(|_| member.optional) {
        for made in &mut parent.validations[from..] {
            made.rule = format!("!{set} || ({})", made.rule).into();
        }
    }
}

/// What an update may not change in a member of `new`, whose old value is `old`: conditions on those two.
pub(crate) fn between(
    lower: &Lower<'_>,
    facet: &Facet,
    member: &Member,
    (new, old): (&str, &str),
) -> Option<Vec<ValidationRule>> {
    match facet {
        Facet::Immutable => immutable(lower, member, (new, old)),
        Facet::Monotonic => monotonic(member, (new, old)),
        Facet::Update(constraints) => constraints
            .iter()
            .map(|one| constraint(lower, *one, member, (new, old)))
            .collect(),
        _ => None,
    }
}

/// Rules on a value without an enclosing struct: an element, or a type wherever it is used. A new value has
/// no old value to compare with; the enclosing value checks it.
pub(crate) fn on_value(
    lower: &mut Lower<'_>,
    site: Site,
    facet: &Facet,
    member: &Member,
    node: &mut JsonSchema,
) {
    match change::of_element(lower, facet, member, ("self", "oldSelf")) {
        Some(rules) => node.validations.extend(rules),
        None => lower.unenforced(site.place(), "what an update may not do"),
    }
}

/// Rules on an embedded struct: none of its members may change.
pub(crate) fn on_embedded(
    lower: &mut Lower<'_>,
    site: Site,
    facet: &Facet,
    embedded: &Member,
    node: &mut JsonSchema,
) {
    let same = |lower: &Lower<'_>| -> Option<Vec<String>> {
        let (_, fields) = lower.view.members(&embedded.ty)?;
        let all = fields.iter().filter(|field| !field.json.skip);
        // Structs embedded further down have no name to access them by.
        all.map(|field| {
            if field.is_inline() {
                None
            } else {
                equal::members(lower, &Member::new(lower, field), ("self", "oldSelf"))
            }
        })
        .collect()
    };
    // controller-gen's own reading of the tag, which applies to all members of the parent.
    node.validations
        .retain(|rule| &*rule.message != "field is immutable");
    match change::freezes(facet).and_then(|text| Some((text, same(lower)?))) {
        Some((text, same)) if !same.is_empty() => {
            node.validations
                .push(rule_of(&format!("({})", same.join(") && (")), text));
        }
        _ => lower.unenforced(site.place(), "what an update may not do"),
    }
}

/// Whether immutable elements may be added, so that each value has its own rule: values of maps, by the KEPs.
pub(crate) fn only_known(lower: &Lower<'_>, member: &Member) -> bool {
    lower.options.profile == Profile::Kep && member.is_map(lower.view)
}

/// No element changes or is added.
pub(crate) fn elements(lower: &mut Lower<'_>, site: Site, member: &Member, parent: &mut JsonSchema) {
    match same_elements(lower, member) {
        Some(rule) => parent
            .validations
            .push(at(member, rule_of(&rule, "field is immutable"))),
        None => lower.unenforced(site.place(), "that elements do not change"),
    }
}

fn same_elements(lower: &Lower<'_>, member: &Member) -> Option<String> {
    let name = member.cel.as_deref()?;
    let (new, old) = (format!("self.{name}"), format!("oldSelf.{name}"));
    let all = |known: String| format!("!has({new}) || {new}.all(item, has({old}) && {known})");
    if member.is_map(lower.view) {
        let (value, known) = (format!("{new}[item]"), format!("{old}[item]"));
        let same = equal::values(lower, &member.inner(lower.view)?, &value, &known)?;
        return Some(all(format!("item in {old} && {same}")));
    }
    Some(match &member.identity {
        Identity::Atomic => {
            let same = equal::values(lower, member, &new, &old)?;
            format!("!{} || (has({old}) && {same})", member.is_set("self")?)
        }
        // An equal item has equal keys too.
        Identity::Set | Identity::Map { .. } => {
            let same = equal::values(lower, &member.inner(lower.view)?, "item", "known")?;
            all(match &*same {
                "item == known" => format!("item in {old}"),
                same => format!("{old}.exists(known, {same})"),
            })
        }
    })
}

/// Failures are reported at the member.
pub(crate) fn at(member: &Member, mut rule: ValidationRule) -> ValidationRule {
    if let Some(name) = member.cel.as_deref().filter(|name| *name == &*member.name) {
        rule.field_path = format!(".{name}").into();
    }
    rule
}

fn immutable(lower: &Lower<'_>, member: &Member, between: (&str, &str)) -> Option<Vec<ValidationRule>> {
    let mut same = equal::members(lower, member, between)?;
    if lower.options.profile == Profile::Kep {
        same = format!("!{} || ({same})", member.is_set(between.1)?);
    }
    Some(vec![rule_of(&same, "field is immutable")])
}

fn monotonic(member: &Member, (new, old): (&str, &str)) -> Option<Vec<ValidationRule>> {
    if member.kind != Zero::Number {
        return None;
    }
    let name = member.cel.as_deref()?;
    let (value, old_value) = match member.zero {
        Zero::Absent => {
            let mut made = decreased(&format!("{new}.{name}"), &format!("{old}.{name}"));
            made.rule = format!("!has({new}.{name}) || !has({old}.{name}) || {}", made.rule).into();
            return Some(vec![made]);
        }
        _ => (member.value(new)?, member.value(old)?),
    };
    let mut made = decreased(&value, &old_value);
    if member.optional {
        made.rule = format!("!{} || {}", member.is_set(new)?, made.rule).into();
    }
    Some(vec![made])
}

pub(crate) fn decreased(new: &str, old: &str) -> ValidationRule {
    let mut made = rule_of(&format!("{new} >= {old}"), "");
    // A concatenation of strings has unbounded cost, even of numbers.
    made.message_expression = format!("'may not be decreased from %d'.format([{old}])").into();
    made
}

fn constraint(
    lower: &Lower<'_>,
    constraint: UpdateConstraint,
    member: &Member,
    (new, old): (&str, &str),
) -> Option<ValidationRule> {
    let (now, before) = (member.is_set(new)?, member.is_set(old)?);
    let name = member.cel.as_deref()?;
    Some(match constraint {
        UpdateConstraint::NoSet => {
            rule_of(&format!("{before} || !{now}"), "field cannot be set once created")
        }
        UpdateConstraint::NoUnset => {
            rule_of(&format!("!{before} || {now}"), "field cannot be cleared once set")
        }
        UpdateConstraint::NoModify => {
            let same = match member.zero {
                Zero::Never => equal::members(lower, member, (new, old))?,
                _ => {
                    let (new, old) = (format!("{new}.{name}"), format!("{old}.{name}"));
                    format!(
                        "!{before} || !{now} || {}",
                        equal::values(lower, member, &new, &old)?
                    )
                }
            };
            rule_of(&same, "field cannot be modified once set")
        }
        UpdateConstraint::NoAddItem => {
            let mut made = items(lower, member, (new, old), "item may not be added")?;
            // The KEP calls the step from no items to some "set".
            if lower.options.profile == Profile::Kep {
                made.rule = format!("!{before} || ({})", made.rule).into();
            }
            made
        }
        UpdateConstraint::NoRemoveItem => items(lower, member, (old, new), "item may not be removed")?,
    })
}

/// All items of the member of `one` are in that of `other`.
fn items(
    lower: &Lower<'_>,
    member: &Member,
    (one, other): (&str, &str),
    message: &str,
) -> Option<ValidationRule> {
    let name = member.cel.as_deref()?;
    let (one, other) = (format!("{one}.{name}"), format!("{other}.{name}"));
    let is_kep = lower.options.profile == Profile::Kep;
    let known = match &member.identity {
        _ if member.is_map(lower.view) => format!("item in {other}"),
        // The KEP finds items of any list by their value.
        Identity::Atomic if is_kep => format!("item in {other}"),
        identity => identity.is_known(lower, member, "item", &other)?,
    };
    let mut made = rule_of(
        &format!("!has({one}) || {one}.all(item, has({other}) && {known})"),
        message,
    );
    made.reason = Some("FieldValueForbidden".into());
    Some(made)
}
