//! Whether an update rejects a value because it is new: something in it is immutable or cannot be set.

use kindsmith_checks::Profile;
use kindsmith_schema::{Facet, Field, Rule, Schema, Shape, TypeId, TypeRef, UpdateConstraint, Wrap};

use super::constraint::{is_change, variable};
use super::enforcement::{Enforcement, enforced};
use super::group::has_scope;
use super::presence::{Member, Zero};
use super::{is_opaque, is_opaque_type, item, mode, update};
use crate::controller_gen::lower::Lower;

/// Longer rules are not worth their cost.
const MAX_TEXT: usize = 8192;

/// A condition under which a new value is rejected, and the message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) when: String,
    pub(crate) message: &'static str,
}

impl Refusal {
    /// Adds another condition.
    pub(crate) fn and(&self, other: &str) -> Self {
        let when = match &*self.when {
            ALWAYS => other.to_owned(),
            when => format!("{other} && ({when})"),
        };
        Self { when, ..*self }
    }
}

/// The conditions that reject an added value; `None` if CEL cannot express them.
pub(crate) type Refusals = Option<Vec<Refusal>>;

pub(crate) const ALWAYS: &str = "true";
pub(crate) const IMMUTABLE: &str = "field is immutable";

/// The conditions that reject `of`, a value of a type: from the type's own rules, its members and its
/// elements.
pub(crate) fn of_type(lower: &Lower<'_>, of_type: &TypeRef, of: &str, depth: usize) -> Refusals {
    Walk {
        lower,
        within: Vec::new(),
    }
    .value(of_type, of, depth)
}

/// A walk down through types.
struct Walk<'l, 'a> {
    lower: &'l Lower<'a>,
    /// Types on the current path. A repeated one has no schema there.
    within: Vec<TypeId>,
}

impl Walk<'_, '_> {
    fn value(&mut self, of_type: &TypeRef, of: &str, depth: usize) -> Refusals {
        let lower = self.lower;
        let value = Member::always_set(lower.view, of_type);
        let mut found = Vec::new();
        if let TypeRef::Named(id) = lower.view.unalias(&value.ty) {
            let is_known = lower.schema.ty(*id).well_known.is_some() || !lower.may_refuse_newcomers(*id);
            if is_known || self.within.contains(id) {
                return Some(Vec::new());
            }
            self.within.push(*id);
            let own = self.named(*id, &value, of, depth);
            self.within.pop();
            found = own?;
        }
        if let Some(inner) = value.inner(lower.view) {
            let each = variable(depth);
            let element = if value.is_map(lower.view) {
                format!("{of}[{each}]")
            } else {
                each.clone()
            };
            let refused = self.value(&inner.ty, &element, depth + 1)?;
            found.extend(exists(refused, of, &each));
        }
        let length: usize = found.iter().map(|one| one.when.len()).sum();
        (length <= MAX_TEXT).then_some(found)
    }

    fn named(&mut self, id: TypeId, value: &Member, of: &str, depth: usize) -> Refusals {
        let lower = self.lower;
        let ty = lower.schema.ty(id);
        let mut found = Vec::new();
        for (_, rule, wraps) in enforced(lower.options, &ty.rules) {
            found.extend(by_rule(lower, &rule.facet, &wraps, value, of, depth)?);
        }
        let (holder, fields) = match lower.view.members(&value.ty) {
            Some(members) if !is_opaque_type(ty) => members,
            _ => return Some(found),
        };
        found.extend(mode::refusals(lower, holder, of));
        for field in fields.iter().filter(|field| !field.json.skip) {
            found.extend(self.member(field, of, depth)?);
        }
        Some(found)
    }

    fn member(&mut self, field: &Field, of: &str, depth: usize) -> Refusals {
        if field.is_inline() {
            return self.value(&field.ty, of, depth + 1);
        }
        let lower = self.lower;
        let member = Member::new(lower, field);
        let mut found = Vec::new();
        for (_, rule, wraps) in enforced(lower.options, &field.rules) {
            // All constraints of a field are one check.
            if !matches!(rule.facet, Facet::Update(_)) || has_scope(&wraps) {
                found.extend(by_rule_of_member(lower, &rule.facet, &wraps, &member, of, depth)?);
            }
        }
        if let Some((_, Enforcement::Enforced, wraps, all)) = update::merged(lower, &field.rules) {
            let all = Facet::Update(all);
            found.extend(by_rule_of_member(lower, &all, &wraps, &member, of, depth)?);
        }
        if let Some(name) = member.cel.as_deref().filter(|_| !is_opaque(field)) {
            let here = format!("{of}.{name}");
            let below = self.value(&member.ty, &here, depth + 1)?;
            found.extend(below.iter().map(|one| one.and(&format!("has({here})"))));
        }
        Some(found)
    }
}

/// The conditions of a rule that reject `of`, a value that is present.
pub(crate) fn by_rule(
    lower: &Lower<'_>,
    facet: &Facet,
    wraps: &[Wrap],
    value: &Member,
    of: &str,
    depth: usize,
) -> Refusals {
    let each = variable(depth);
    let element = || {
        if value.is_map(lower.view) {
            format!("{of}[{each}]")
        } else {
            each.clone()
        }
    };
    match (wraps, facet) {
        (_, facet) if !is_change(facet) => Some(Vec::new()),
        ([], Facet::Immutable) => Some(vec![Refusal {
            when: ALWAYS.to_owned(),
            message: IMMUTABLE,
        }]),
        ([], _) => Some(Vec::new()),
        ([Wrap::EachVal, rest @ ..], _) => {
            let inner = value.inner(lower.view)?;
            let refused = by_rule(lower, facet, rest, &inner, &element(), depth + 1)?;
            Some(exists(refused, of, &each))
        }
        ([Wrap::Item(selector), rest @ ..], _) => {
            let inner = value.inner(lower.view)?;
            let picked = item::picked(lower, selector, value, &element())?;
            let refused = by_rule(lower, facet, rest, &inner, &element(), depth + 1)?;
            let refused = refused.iter().map(|one| one.and(&picked)).collect();
            Some(exists(refused, of, &each))
        }
        ([Wrap::Subfield(name), rest @ ..], _) => {
            let sub = value.sub(lower, name)?;
            by_rule_of_member(lower, facet, rest, &sub, of, depth)
        }
        _ => None,
    }
}

/// The conditions of a rule on a member that reject the member of `of`.
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
            // Values that are always present cannot have been unset.
            if !matches!(member.zero, Zero::Absent | Zero::Empty) {
                return Some(Vec::new());
            }
            let when = member.is_set(of)?;
            let refused = constraints
                .iter()
                // The KEP lets a list without items be set.
                .filter(|one| lower.options.profile == Profile::Upstream || **one == UpdateConstraint::NoSet)
                .filter_map(|one| from_nothing(*one));
            Some(
                refused
                    .map(|message| Refusal {
                        when: when.clone(),
                        message,
                    })
                    .collect(),
            )
        }
        ([], _) => by_rule(lower, facet, &[], member, of, depth),
        _ => {
            let Some(name) = member.cel.as_deref() else {
                return Some(Vec::new());
            };
            let here = format!("{of}.{name}");
            let refused = by_rule(lower, facet, wraps, member, &here, depth)?;
            let guarded = refused.iter().map(|one| one.and(&format!("has({here})")));
            Some(guarded.collect())
        }
    }
}

/// The message of a constraint that forbids setting an unset value.
fn from_nothing(constraint: UpdateConstraint) -> Option<&'static str> {
    match constraint {
        UpdateConstraint::NoSet => Some("field cannot be set once created"),
        UpdateConstraint::NoAddItem => Some("item may not be added"),
        _ => None,
    }
}

/// One of the elements is rejected: one condition for each message.
fn exists(refused: Vec<Refusal>, of: &str, each: &str) -> Vec<Refusal> {
    let some = by_message(refused).into_iter().map(|one| Refusal {
        when: match &*one.when {
            ALWAYS => format!("size({of}) > 0"),
            when => format!("{of}.exists({each}, {when})"),
        },
        ..one
    });
    some.collect()
}

/// Combines refusals with the same message.
pub(crate) fn by_message(refused: Vec<Refusal>) -> Vec<Refusal> {
    let mut found: Vec<(&'static str, Vec<String>)> = Vec::new();
    for Refusal { when, message } in refused {
        match found.iter_mut().find(|(known, _)| *known == message) {
            Some((_, all)) if all.contains(&when) => {}
            Some((_, all)) => all.push(when),
            None => found.push((message, vec![when])),
        }
    }
    let joined = |(message, all): (&'static str, Vec<String>)| {
        let is_always = all.iter().any(|when| when == ALWAYS);
        let when = if is_always {
            ALWAYS.to_owned()
        } else {
            all.join(" || ")
        };
        Refusal { when, message }
    };
    found.into_iter().map(joined).collect()
}

/// Types that contain, at some depth, a rule that rejects new values.
pub(crate) fn refusing(schema: &Schema) -> Vec<bool> {
    let view = schema.view();
    let refuses = |rules: &[Rule]| {
        rules.iter().any(|rule| match &rule.facet {
            Facet::Immutable => true,
            Facet::Update(constraints) => constraints.iter().any(|one| from_nothing(*one).is_some()),
            _ => false,
        })
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

/// Records which types use the types inside a type expression.
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
