//! Whether an update refuses a value because it was not there before: something in it is immutable or cannot be set.

use kindsmith_schema::{Facet, Rule, Schema, Shape, Type, TypeRef, UpdateConstraint, Wrap};

use super::demand::{is_change, variable};
use super::group::has_scope;
use super::presence::{Member, Zero};
use super::standing::{Standing, enforced};
use super::{is_opaque, is_opaque_type, item, mode, update};
use crate::generate::lower::Lower;

/// Longer chains of members lead back to themselves.
const MAX_DEPTH: usize = 12;

/// Where one of these holds a newcomer is refused; none where CEL cannot say it.
pub(super) type Refusals = Option<Vec<String>>;

pub(super) const ALWAYS: &str = "true";

/// What refuses `of`, a value of a type: the type's own rules, those of its members and of its elements.
pub(super) fn of_type(lower: &Lower<'_>, of_type: &TypeRef, of: &str, depth: usize) -> Refusals {
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
pub(super) fn by_rule(
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

pub(super) fn both(one: &str, other: &str) -> String {
    match other {
        ALWAYS => one.to_owned(),
        _ => format!("{one} && ({other})"),
    }
}

/// One of the conditions.
pub(super) fn any(mut refused: Vec<String>) -> String {
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
pub(in crate::generate) fn refusing(schema: &Schema) -> Vec<bool> {
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
        if let Shape::Def(of) | Shape::Alias(of) = &ty.shape {
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
