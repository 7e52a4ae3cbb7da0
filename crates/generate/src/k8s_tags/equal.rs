//! Whether two values of a Go type are equal, in CEL.
//!
//! `==` says so with two exceptions: CEL does not compare sets of objects, and the order in sets and list maps does not
//! matter to it, while it counts in Go. A type that contains such a list is compared part by part, down to the list. Long
//! lists would cost too much, so their order is not compared.

use kindsmith_schema::{TypeId, TypeRef};

use super::identity::Identity;
use super::presence::{Member, Zero};
use super::reading::Reading;

/// Longer chains of members are recursive.
const MAX_DEPTH: usize = 12;

/// Whether `one` and `other`, two values of the same type, are equal; `None` if CEL cannot express it.
pub(crate) fn values(reading: &Reading<'_>, value: &Member, one: &str, other: &str) -> Option<String> {
    within(reading, value, (one, other), 0)
}

fn within(reading: &Reading<'_>, value: &Member, between: (&str, &str), depth: usize) -> Option<String> {
    let (one, other) = between;
    let simply = || format!("{one} == {other}");
    if contains(reading, value, is_object_set, &mut Vec::new()) {
        return by_parts(reading, value, between, depth);
    }
    if contains(reading, value, is_short_and_unordered, &mut Vec::new()) {
        return by_parts(reading, value, between, depth).or_else(|| Some(simply()));
    }
    Some(simply())
}

fn by_parts(
    reading: &Reading<'_>,
    value: &Member,
    (one, other): (&str, &str),
    depth: usize,
) -> Option<String> {
    if depth > MAX_DEPTH {
        return None;
    }
    if let Some(inner) = value.inner(reading.view) {
        return elements(reading, value, &inner, (one, other), depth);
    }
    let (_, fields) = reading.view.members(&value.ty)?;
    let each = fields.iter().filter(|field| !field.json.skip);
    let same: Option<Vec<String>> = each
        .map(|field| {
            if field.is_inline() {
                None
            } else {
                member(reading, &Member::new(reading, field), (one, other), depth)
            }
        })
        .collect();
    Some(format!("({})", same?.join(" && ")))
}

fn elements(
    reading: &Reading<'_>,
    value: &Member,
    inner: &Member,
    (one, other): (&str, &str),
    depth: usize,
) -> Option<String> {
    if value.is_map(reading.view) {
        let key = format!("key{depth}");
        let values = (&*format!("{one}[{key}]"), &*format!("{other}[{key}]"));
        let same = within(reading, inner, values, depth + 1)?;
        return Some(format!(
            "(size({one}) == size({other}) && {one}.all({key}, {key} in {other} && {same}))"
        ));
    }
    let (at, each) = (format!("at{depth}"), format!("each{depth}"));
    let same = within(reading, inner, (&each, &format!("{other}[{at}]")), depth + 1)?;
    Some(format!(
        "(size({one}) == size({other}) && {one}.all({at}, {each}, {same}))"
    ))
}

/// Whether a member has the same value in both; for members that are never unset, absent means zero.
pub(crate) fn members(reading: &Reading<'_>, of: &Member, between: (&str, &str)) -> Option<String> {
    member(reading, of, between, 0)
}

fn member(reading: &Reading<'_>, of: &Member, (one, other): (&str, &str), depth: usize) -> Option<String> {
    if let (Some(one), Some(other)) = (of.value(one), of.value(other)) {
        return Some(format!("{one} == {other}"));
    }
    let name = of.cel.as_deref()?;
    let (left, right) = (format!("{one}.{name}"), format!("{other}.{name}"));
    let same = within(reading, of, (&left, &right), depth + 1)?;
    Some(match of.zero {
        Zero::Empty => format!(
            "(has({left}) && has({right}) ? {same} : !{} && !{})",
            of.is_set(one)?,
            of.is_set(other)?
        ),
        _ => format!("has({left}) == has({right}) && (!has({left}) || {same})"),
    })
}

/// A list with items of this kind that is compared in a way of its own.
type Special = fn(&Reading<'_>, &Member, &Member) -> bool;

/// A set of objects or lists.
fn is_object_set(reading: &Reading<'_>, list: &Member, inner: &Member) -> bool {
    let is_object = matches!(inner.kind, Zero::Never | Zero::Empty | Zero::Absent);
    list.identity == Identity::Set && is_object && !inner.is_bytes(reading.view)
}

/// A short list whose order does not matter to CEL.
fn is_short_and_unordered(_: &Reading<'_>, list: &Member, _: &Member) -> bool {
    list.identity != Identity::Atomic && list.is_short
}

/// Whether the value is or contains such a list.
fn contains(reading: &Reading<'_>, value: &Member, special: Special, seen: &mut Vec<TypeId>) -> bool {
    if let Some(inner) = value.inner(reading.view) {
        return !value.is_map(reading.view) && special(reading, value, &inner)
            || contains(reading, &inner, special, seen);
    }
    let TypeRef::Named(id) = reading.view.unalias(&value.ty) else {
        return false;
    };
    if seen.contains(id) || reading.schema.ty(*id).well_known.is_some() {
        return false;
    }
    seen.push(*id);
    let fields = reading
        .view
        .members(&value.ty)
        .map_or(&[][..], |(_, fields)| fields);
    fields
        .iter()
        .filter(|field| !field.json.skip)
        .any(|field| contains(reading, &Member::new(reading, field), special, seen))
}
