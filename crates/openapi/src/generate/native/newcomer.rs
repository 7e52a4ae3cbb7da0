//! What an update may not bring in: values that were not there before and are not allowed to come.
//!
//! A rule on change sees a value and what it was. A value that is new was nothing, so it is held to the rules by the
//! struct around it, which was there: whatever in the newcomer is immutable or cannot be set is refused with it.

use kindsmith_schema::{
    Facet, Field, FieldId, JsonSchema, Owner, Part, Rule, Type, TypeRef, UpdateConstraint, ValidationRule,
    Wrap,
};

use super::demand::{is_change, variable};
use super::group::has_scope;
use super::identity::Identity;
use super::presence::{Member, Zero};
use super::standing::{Standing, enforced};
use super::{Site, equal, is_opaque, is_opaque_type, item, mode, rule_of, update};
use crate::generate::lower::Lower;

/// Longer chains of members lead back to themselves.
const MAX_DEPTH: usize = 12;

/// Where one of these holds a newcomer is refused; none where CEL cannot say it.
type Refusals = Option<Vec<String>>;

const ALWAYS: &str = "true";

/// Adds the rules on what may come into a member of a struct.
pub(super) fn on_member(
    lower: &mut Lower<'_>,
    id: FieldId,
    field: &Field,
    member: &Member,
    parent: &mut JsonSchema,
) {
    match rule(lower, field, member) {
        Some(Some(rule)) => parent.validations.push(update::at(member, rule)),
        Some(None) => {}
        None => lower.unenforced(
            Owner::Field(id).part(Part::Name),
            "what an update may not bring in",
        ),
    }
}

/// The same for a rule on a member of a member.
pub(super) fn on_sub(
    lower: &mut Lower<'_>,
    site: Site,
    (facet, wraps): (&Facet, &[Wrap]),
    member: &Member,
    parent: &mut JsonSchema,
) {
    if !is_change(facet) {
        return;
    }
    let made = member.inner(lower.view).and_then(|inner| {
        let refused = of_element(lower, (facet, wraps), &inner, &element(lower, member))?;
        list_rule(lower, member, refused)
    });
    match made {
        Some(Some(rule)) => parent.validations.push(update::at(member, rule)),
        Some(None) => {}
        None => lower.unenforced(site.place(), "what an update may not bring in"),
    }
}

fn rule(lower: &Lower<'_>, field: &Field, member: &Member) -> Option<Option<ValidationRule>> {
    if member.inner(lower.view).is_some() {
        let refused = elements(lower, field, member)?;
        return list_rule(lower, member, refused);
    }
    if member.zero != Zero::Absent || is_opaque(field) {
        return Some(None);
    }
    let Some(name) = &member.cel else {
        return Some(None);
    };
    let refused = of_type(lower, &member.ty, &format!("self.{name}"), 0)?;
    if refused.is_empty() {
        return Some(None);
    }
    let allowed = format!("!has(self.{name}) || has(oldSelf.{name}) || !({})", any(refused));
    Some(Some(rule_of(&allowed, "field is immutable")))
}

/// The rule of a list or map whose elements are refused as newcomers where one of these holds.
fn list_rule(lower: &Lower<'_>, member: &Member, refused: Vec<String>) -> Option<Option<ValidationRule>> {
    if refused.is_empty() {
        return Some(None);
    }
    let name = member.cel.as_deref()?;
    let between = (&*format!("self.{name}"), &*format!("oldSelf.{name}"));
    let allowed = known_elements(lower, member, between, &any(refused))?;
    Some(Some(rule_of(&allowed, "field is immutable")))
}

/// An element of a list or map that is a member, under the variable `item`.
fn element(lower: &Lower<'_>, member: &Member) -> String {
    match member.is_map(lower.view) {
        true => format!("self.{}[item]", member.cel.as_deref().unwrap_or_default()),
        false => "item".to_owned(),
    }
}

/// That no element of a list or map is refused as a newcomer, or it was there.
fn known_elements(
    lower: &Lower<'_>,
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
    if member.is_map(lower.view) {
        return Some(all(format!("item in {old}")));
    }
    if member.identity == Identity::Atomic {
        let none = match refused {
            ALWAYS => format!("size({new}) == 0"),
            some => format!("!{new}.exists(item, {some})"),
        };
        let same = equal::values(lower, member, new, old)?;
        return Some(format!("!has({new}) || (has({old}) && {same}) || {none}"));
    }
    Some(all(member.identity.is_known(lower, member, "item", old)?))
}

/// What refuses an element of a list or map: what the field says of its elements, and what their type says.
fn elements(lower: &Lower<'_>, field: &Field, member: &Member) -> Refusals {
    let (inner, each) = (member.inner(lower.view)?, element(lower, member));
    let mut found = Vec::new();
    let mut add = |rules: &[Rule]| -> Option<()> {
        for (_, rule, wraps) in enforced(lower.options, rules) {
            found.extend(of_element(lower, (&rule.facet, &wraps), &inner, &each)?);
        }
        Some(())
    };
    add(&field.rules)?;
    if is_opaque(field) {
        return Some(found);
    }
    if let TypeRef::Named(id) = lower.view.unalias(&member.ty) {
        add(&lower.schema.ty(*id).rules)?;
    }
    found.extend(of_type(lower, &inner.ty, &each, 1)?);
    Some(found)
}

/// What refuses an element by a rule on its list or map.
fn of_element(lower: &Lower<'_>, (facet, wraps): (&Facet, &[Wrap]), inner: &Member, each: &str) -> Refusals {
    match wraps {
        // Said together with what may not change (see `update::elements`).
        [Wrap::EachVal] if *facet == Facet::Immutable => Some(Vec::new()),
        [Wrap::EachVal, rest @ ..] => by_rule(lower, facet, rest, inner, each, 1),
        [Wrap::Item(selector), rest @ ..] if is_change(facet) => {
            let picked = item::picked(lower, selector, inner, each)?;
            let refused = by_rule(lower, facet, rest, inner, each, 1)?;
            Some(refused.iter().map(|one| both(&picked, one)).collect())
        }
        _ => Some(Vec::new()),
    }
}

/// What refuses `of`, a value of a type: the type's own rules, those of its members and of its elements.
fn of_type(lower: &Lower<'_>, of_type: &TypeRef, of: &str, depth: usize) -> Refusals {
    let value = Member::always_set(lower.view, of_type);
    let mut found = Vec::new();
    if let TypeRef::Named(id) = lower.view.unalias(&value.ty) {
        let ty = lower.schema.ty(*id);
        if ty.well_known.is_some() || !lower.may_refuse_newcomers(*id) {
            return Some(Vec::new());
        }
        if depth > MAX_DEPTH {
            return None;
        }
        for (_, rule, wraps) in enforced(lower.options, &ty.rules) {
            found.extend(by_rule(lower, &rule.facet, &wraps, &value, of, depth)?);
        }
        found.extend(of_members(lower, ty, &value.ty, of, depth)?);
    }
    if let Some(inner) = value.inner(lower.view) {
        let each = variable(depth);
        let element = match value.is_map(lower.view) {
            true => format!("{of}[{each}]"),
            false => each.clone(),
        };
        let refused = self::of_type(lower, &inner.ty, &element, depth + 1)?;
        found.extend(exists(refused, of, &each));
    }
    Some(found)
}

fn of_members(lower: &Lower<'_>, ty: &Type, of_type: &TypeRef, of: &str, depth: usize) -> Refusals {
    let (id, fields) = match lower.view.members(of_type) {
        Some((id, fields)) if !is_opaque_type(ty) => (id, fields),
        _ => return Some(Vec::new()),
    };
    let mut found = mode::refusals(lower, id, of);
    for field in fields.iter().filter(|field| !field.json.skip) {
        if field.is_inline() {
            found.extend(self::of_type(lower, &field.ty, of, depth + 1)?);
            continue;
        }
        let member = Member::new(lower, field);
        for (_, rule, wraps) in enforced(lower.options, &field.rules) {
            // All constraints of a field are one check.
            if !matches!(rule.facet, Facet::Update(_)) || has_scope(&wraps) {
                found.extend(by_rule_of_member(lower, &rule.facet, &wraps, &member, of, depth)?);
            }
        }
        if let Some((_, Standing::Enforced, wraps, all)) = update::merged(lower, &field.rules) {
            found.extend(by_rule_of_member(
                lower,
                &Facet::Update(all),
                &wraps,
                &member,
                of,
                depth,
            )?);
        }
        if !is_opaque(field) {
            found.extend(below(lower, &member, of, depth)?);
        }
    }
    Some(found)
}

/// What refuses the value of a member by the rules of its type.
fn below(lower: &Lower<'_>, member: &Member, of: &str, depth: usize) -> Refusals {
    let Some(name) = member.cel.as_deref() else {
        return Some(Vec::new());
    };
    let here = format!("{of}.{name}");
    let refused = of_type(lower, &member.ty, &here, depth + 1)?;
    let guarded = refused.iter().map(|one| both(&format!("has({here})"), one));
    Some(guarded.collect())
}

/// What refuses `of` by a rule on a value that is there.
fn by_rule(
    lower: &Lower<'_>,
    facet: &Facet,
    wraps: &[Wrap],
    value: &Member,
    of: &str,
    depth: usize,
) -> Refusals {
    let each = variable(depth);
    let element = || match value.is_map(lower.view) {
        true => format!("{of}[{each}]"),
        false => each.clone(),
    };
    match (wraps, facet) {
        (_, facet) if !is_change(facet) => Some(Vec::new()),
        ([], Facet::Immutable) => Some(vec![ALWAYS.to_owned()]),
        ([], _) => Some(Vec::new()),
        ([Wrap::EachVal, rest @ ..], _) => {
            let inner = value.inner(lower.view)?;
            let refused = by_rule(lower, facet, rest, &inner, &element(), depth + 1)?;
            Some(exists(refused, of, &each))
        }
        ([Wrap::Item(selector), rest @ ..], _) => {
            let inner = value.inner(lower.view)?;
            let picked = item::picked(lower, selector, &inner, &element())?;
            let refused = by_rule(lower, facet, rest, &inner, &element(), depth + 1)?;
            let refused = refused.iter().map(|one| both(&picked, one)).collect();
            Some(exists(refused, of, &each))
        }
        ([Wrap::Subfield(name), rest @ ..], _) => {
            let sub = value.sub(lower, name)?;
            by_rule_of_member(lower, facet, rest, &sub, of, depth)
        }
        _ => None,
    }
}

/// What refuses a member of `of` by a rule on the member.
fn by_rule_of_member(
    lower: &Lower<'_>,
    facet: &Facet,
    wraps: &[Wrap],
    member: &Member,
    of: &str,
    depth: usize,
) -> Refusals {
    match (wraps, facet) {
        ([], Facet::Update(constraints)) => {
            let from_nothing =
                |one: &UpdateConstraint| matches!(one, UpdateConstraint::NoSet | UpdateConstraint::NoAddItem);
            // Values that are always there have no old value to be unset.
            let counts = matches!(member.zero, Zero::Absent | Zero::Empty);
            match counts && constraints.iter().any(from_nothing) {
                true => Some(vec![member.is_set(of)?]),
                false => Some(Vec::new()),
            }
        }
        ([], _) => by_rule(lower, facet, &[], member, of, depth),
        _ => {
            let Some(name) = member.cel.as_deref() else {
                return Some(Vec::new());
            };
            let here = format!("{of}.{name}");
            let refused = by_rule(lower, facet, wraps, member, &here, depth)?;
            let guarded = refused.iter().map(|one| both(&format!("has({here})"), one));
            Some(guarded.collect())
        }
    }
}

fn exists(refused: Vec<String>, of: &str, each: &str) -> Vec<String> {
    match refused.is_empty() {
        true => Vec::new(),
        false => match any(refused).as_str() {
            ALWAYS => vec![format!("size({of}) > 0")],
            some => vec![format!("{of}.exists({each}, {some})")],
        },
    }
}

fn both(one: &str, other: &str) -> String {
    match other {
        ALWAYS => one.to_owned(),
        _ => format!("{one} && ({other})"),
    }
}

/// One of the conditions.
fn any(mut refused: Vec<String>) -> String {
    if refused.iter().any(|one| one == ALWAYS) {
        return ALWAYS.to_owned();
    }
    let mut seen = Vec::new();
    refused.retain(|one| {
        let is_new = !seen.contains(one);
        seen.push(one.clone());
        is_new
    });
    refused.join(" || ")
}

/// Types that hold, somewhere below, a rule that refuses newcomers.
pub(in crate::generate) fn refusing(schema: &kindsmith_schema::Schema) -> Vec<bool> {
    let view = schema.view();
    let refuses = |rules: &[Rule]| {
        rules
            .iter()
            .any(|rule| matches!(rule.facet, Facet::Immutable | Facet::Update(_)))
    };
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); schema.types().len()];
    let (mut found, mut queue) = (vec![false; users.len()], Vec::new());
    for (id, ty) in schema.types() {
        if let Some((_, fields)) = view.members(&TypeRef::Named(id)) {
            fields
                .iter()
                .for_each(|field| used(&field.ty, id.index(), &mut users));
            if fields.iter().any(|field| refuses(&field.rules)) {
                queue.push(id.index());
            }
        }
        if let kindsmith_schema::Shape::Def(of) | kindsmith_schema::Shape::Alias(of) = &ty.shape {
            used(of, id.index(), &mut users);
        }
        if refuses(&ty.rules) {
            queue.push(id.index());
        }
    }
    while let Some(at) = queue.pop() {
        if !std::mem::replace(&mut found[at], true) {
            queue.extend(&users[at]);
        }
    }
    found
}

/// Notes who uses the types a type is made of.
fn used(mut of: &TypeRef, by: usize, users: &mut [Vec<usize>]) {
    loop {
        match of {
            TypeRef::Pointer(inner)
            | TypeRef::List(inner)
            | TypeRef::Array(_, inner)
            | TypeRef::Map(_, inner) => {
                of = inner;
            }
            TypeRef::Named(id) => return users[id.index()].push(by),
            _ => return,
        }
    }
}
