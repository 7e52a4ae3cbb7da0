//! The operators of CEL that rules are made of, over values as they are. A rule that needs another one, or that fails, is left to the
//! engine: `None` is an error of CEL or an answer that is not known here, and both spread the same way.

use super::keyword::Pattern;
use super::{Entries, View};

/// The result of a condition.
pub type Truth = Option<bool>;

/// Longer ranges are left to the engine, which counts what a rule costs.
const LONGEST_RANGE: usize = 1000;

/// `a && b`: an error does not matter beside `false`.
#[inline(always)]
pub fn and(left: Truth, right: impl FnOnce() -> Truth) -> Truth {
    match left {
        Some(false) => Some(false),
        Some(true) => right(),
        None => right().filter(|right| !right),
    }
}

/// `a || b`: an error does not matter beside `true`.
#[inline(always)]
pub fn or(left: Truth, right: impl FnOnce() -> Truth) -> Truth {
    match left {
        Some(true) => Some(true),
        Some(false) => right(),
        None => right().filter(|right| *right),
    }
}

/// `!a`.
#[inline(always)]
pub fn not(value: Truth) -> Truth {
    value.map(|value| !value)
}

/// `a ? b : c`.
#[inline(always)]
pub fn choose<'v>(
    condition: Truth,
    then: impl FnOnce() -> View<'v>,
    or_else: impl FnOnce() -> View<'v>,
) -> View<'v> {
    match condition {
        Some(true) => then(),
        Some(false) => or_else(),
        None => View::Opaque,
    }
}

/// A value as a condition.
#[inline(always)]
pub fn truth(value: View<'_>) -> Truth {
    match value {
        View::Bool(value) => Some(value),
        _ => None,
    }
}

/// A condition as a value.
#[inline(always)]
pub fn value(truth: Truth) -> View<'static> {
    truth.map_or(View::Opaque, View::Bool)
}

/// `a == b`. Lists of CEL can be equal in another order, so composite values are equal or it is not known.
#[inline(always)]
pub fn equal(left: View<'_>, right: View<'_>) -> Truth {
    match (left, right) {
        (View::Bool(left), View::Bool(right)) => Some(left == right),
        (View::Int(left), View::Int(right)) => Some(left == right),
        (View::Float(left), View::Float(right)) => Some(left == right),
        (View::Text(left), View::Text(right)) => Some(left == right),
        (View::Absent | View::Opaque, _) => None,
        _ => left.is_same(right).then_some(true),
    }
}

/// `a < b`.
#[inline(always)]
pub fn less(left: View<'_>, right: View<'_>) -> Truth {
    match (left, right) {
        (View::Int(left), View::Int(right)) => Some(left < right),
        (View::Float(left), View::Float(right)) => Some(left < right),
        (View::Text(left), View::Text(right)) => Some(left < right),
        _ => None,
    }
}

/// `a <= b`.
#[inline(always)]
pub fn at_most(left: View<'_>, right: View<'_>) -> Truth {
    match (left, right) {
        (View::Int(left), View::Int(right)) => Some(left <= right),
        (View::Float(left), View::Float(right)) => Some(left <= right),
        (View::Text(left), View::Text(right)) => Some(left <= right),
        _ => None,
    }
}

/// `a + b` and the other operators of integers.
#[inline(always)]
pub fn calculate(
    left: View<'_>,
    right: View<'_>,
    operator: impl FnOnce(i64, i64) -> Option<i64>,
) -> View<'static> {
    match (left, right) {
        (View::Int(left), View::Int(right)) => operator(left, right).map_or(View::Opaque, View::Int),
        _ => View::Opaque,
    }
}

/// `size(a)`.
#[inline]
pub fn size(value: View<'_>) -> View<'static> {
    let size = match value {
        View::Text(text) => text.chars().count(),
        View::List(items) => items.len(),
        View::Map(entries) => entries.len(),
        _ => return View::Opaque,
    };
    View::Int(size as i64)
}

/// `a.name`.
#[inline]
pub fn select<'v>(value: View<'v>, name: &str) -> View<'v> {
    match value {
        View::Object(members) => members.member(name),
        View::Map(entries) => entry(entries, View::Text(name)),
        _ => View::Opaque,
    }
}

/// `has(a.name)`.
#[inline]
pub fn has(value: View<'_>, name: &str) -> Truth {
    match value {
        View::Object(_) | View::Map(_) => match select(value, name) {
            View::Opaque => None,
            found => Some(found.is_there()),
        },
        _ => None,
    }
}

/// `a[b]`.
pub fn index<'v>(value: View<'v>, at: View<'_>) -> View<'v> {
    match (value, at) {
        (View::Map(entries), View::Text(_)) => match entry(entries, at) {
            View::Absent => View::Opaque,
            found => found,
        },
        (View::List(items), View::Int(position)) => {
            let (mut left, mut found) = (position, View::Opaque);
            items.all(&mut |item| {
                if left == 0 {
                    found = item;
                }
                left -= 1;
                left >= 0
            });
            found
        }
        _ => View::Opaque,
    }
}

fn entry<'v>(entries: &'v dyn Entries, key: View<'_>) -> View<'v> {
    let mut found = View::Absent;
    entries.all(&mut |known, value| {
        let is_other = !known.is_same(key);
        if !is_other {
            found = value;
        }
        is_other
    });
    found
}

/// `a in b`.
pub fn is_in(value: View<'_>, range: View<'_>) -> Truth {
    match range {
        View::Map(entries) => matches!(value, View::Text(_)).then(|| entry(entries, value).is_there()),
        _ => exists(range, |item| equal(value, item)),
    }
}

/// `a in [b, c]`.
#[inline]
pub fn is_one_of(value: View<'_>, known: &[View<'_>]) -> Truth {
    let mut found = Some(false);
    for item in known {
        found = or(found, || equal(value, *item));
    }
    found
}

/// `a.all(x, …)`.
pub fn all<'v>(range: View<'v>, mut test: impl FnMut(View<'v>) -> Truth) -> Truth {
    let mut found = Some(true);
    each(range, |item| {
        found = and(found, || test(item));
        found != Some(false)
    })?;
    found
}

/// `a.exists(x, …)`.
pub fn exists<'v>(range: View<'v>, mut test: impl FnMut(View<'v>) -> Truth) -> Truth {
    let mut found = Some(false);
    each(range, |item| {
        found = or(found, || test(item));
        found != Some(true)
    })?;
    found
}

/// `a.exists_one(x, …)`.
pub fn exists_one<'v>(range: View<'v>, mut test: impl FnMut(View<'v>) -> Truth) -> Truth {
    let mut count = Some(0_usize);
    each(range, |item| {
        count = count
            .zip(test(item))
            .map(|(count, found)| count + usize::from(found));
        count.is_some()
    })?;
    count.map(|count| count == 1)
}

fn each<'v>(range: View<'v>, mut visit: impl FnMut(View<'v>) -> bool) -> Option<()> {
    match range {
        View::List(items) if items.len() <= LONGEST_RANGE => {
            items.all(&mut visit);
        }
        View::Map(entries) if entries.len() <= LONGEST_RANGE => {
            entries.all(&mut |key, _| visit(key));
        }
        _ => return None,
    }
    Some(())
}

/// `a.startsWith(b)` and other tests of two texts.
#[inline]
pub fn texts(left: View<'_>, right: View<'_>, test: impl FnOnce(&str, &str) -> bool) -> Truth {
    match (left, right) {
        (View::Text(left), View::Text(right)) => Some(test(left, right)),
        _ => None,
    }
}

/// `a.matches('…')`.
#[inline]
pub fn matches(value: View<'_>, pattern: &Pattern) -> Truth {
    match value {
        View::Text(text) => Some(pattern.is_match(text)),
        _ => None,
    }
}
