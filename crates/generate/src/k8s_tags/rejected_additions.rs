//! Whether an update rejects a value because it is new: something in it is immutable or cannot be set.

use kindsmith_checks::Profile;
use kindsmith_schema::{Facet, Field, TypeId, TypeRef, UpdateConstraint, Wrap};

use super::cel_text::variable;
use super::change::is_change;
use super::enforcement::{Enforcement, enforced};
use super::group::has_scope;
use super::presence::{Member, Zero};
use super::reach::{is_opaque, is_opaque_type};
use super::reading::Reading;
use super::refusal::{ALWAYS, IMMUTABLE, Refusal, Refusals, by_message};
use super::refusing::from_nothing;
use super::selector::picked;
use super::{mode, update};

/// Longer rules are not worth their cost.
const MAX_TEXT: usize = 8192;

/// The conditions that reject `of`, a value of a type: from the type's own rules, its members and its
/// elements.
pub(crate) fn of_type(reading: &Reading<'_>, of_type: &TypeRef, of: &str, depth: usize) -> Refusals {
    Walk {
        reading,
        within: Vec::new(),
    }
    .value(of_type, of, depth)
}

/// A walk down through types.
struct Walk<'l, 'a> {
    reading: &'l Reading<'a>,
    /// Types on the current path. A repeated one has no schema there.
    within: Vec<TypeId>,
}

impl Walk<'_, '_> {
    fn value(&mut self, of_type: &TypeRef, of: &str, depth: usize) -> Refusals {
        let reading = self.reading;
        let value = Member::always_set(reading.view, of_type);
        let mut found = Vec::new();
        if let TypeRef::Named(id) = reading.view.unalias(&value.ty) {
            let is_known = reading.schema.ty(*id).well_known.is_some() || !reading.may_refuse_newcomers(*id);
            if is_known || self.within.contains(id) {
                return Some(Vec::new());
            }
            self.within.push(*id);
            let own = self.named(*id, &value, of, depth);
            self.within.pop();
            found = own?;
        }
        if let Some(inner) = value.inner(reading.view) {
            let each = variable(depth);
            let element = if value.is_map(reading.view) {
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
        let reading = self.reading;
        let ty = reading.schema.ty(id);
        let mut found = Vec::new();
        for (_, rule, wraps) in enforced(reading.switches, &ty.rules) {
            found.extend(by_rule(reading, &rule.facet, &wraps, value, of, depth)?);
        }
        let (holder, fields) = match reading.view.members(&value.ty) {
            Some(members) if !is_opaque_type(ty) => members,
            _ => return Some(found),
        };
        found.extend(mode::refusals(reading, holder, of));
        for field in fields.iter().filter(|field| !field.json.skip) {
            found.extend(self.member(field, of, depth)?);
        }
        Some(found)
    }

    fn member(&mut self, field: &Field, of: &str, depth: usize) -> Refusals {
        if field.is_inline() {
            return self.value(&field.ty, of, depth + 1);
        }
        let reading = self.reading;
        let member = Member::new(reading, field);
        let mut found = Vec::new();
        for (_, rule, wraps) in enforced(reading.switches, &field.rules) {
            // All constraints of a field are one check.
            if !matches!(rule.facet, Facet::Update(_)) || has_scope(&wraps) {
                found.extend(by_rule_of_member(
                    reading,
                    &rule.facet,
                    &wraps,
                    &member,
                    of,
                    depth,
                )?);
            }
        }
        if let Some((_, Enforcement::Enforced, wraps, all)) = update::merged(reading, &field.rules) {
            let all = Facet::Update(all);
            found.extend(by_rule_of_member(reading, &all, &wraps, &member, of, depth)?);
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
    reading: &Reading<'_>,
    facet: &Facet,
    wraps: &[Wrap],
    value: &Member,
    of: &str,
    depth: usize,
) -> Refusals {
    let each = variable(depth);
    let element = || {
        if value.is_map(reading.view) {
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
            let inner = value.inner(reading.view)?;
            let refused = by_rule(reading, facet, rest, &inner, &element(), depth + 1)?;
            Some(exists(refused, of, &each))
        }
        ([Wrap::Item(selector), rest @ ..], _) => {
            let inner = value.inner(reading.view)?;
            let picked = picked(reading, selector, value, &element())?;
            let refused = by_rule(reading, facet, rest, &inner, &element(), depth + 1)?;
            let refused = refused.iter().map(|one| one.and(&picked)).collect();
            Some(exists(refused, of, &each))
        }
        ([Wrap::Subfield(name), rest @ ..], _) => {
            let sub = value.sub(reading, name)?;
            by_rule_of_member(reading, facet, rest, &sub, of, depth)
        }
        _ => None,
    }
}

/// The conditions of a rule on a member that reject the member of `of`.
fn by_rule_of_member(
    reading: &Reading<'_>,
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
                .filter(|one| reading.profile == Profile::Upstream || **one == UpdateConstraint::NoSet)
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
        ([], _) => by_rule(reading, facet, &[], member, of, depth),
        _ => {
            let Some(name) = member.cel.as_deref() else {
                return Some(Vec::new());
            };
            let here = format!("{of}.{name}");
            let refused = by_rule(reading, facet, wraps, member, &here, depth)?;
            let guarded = refused.iter().map(|one| one.and(&format!("has({here})")));
            Some(guarded.collect())
        }
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
