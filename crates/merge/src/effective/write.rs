//! The smallest requests that bring a resource to its desired state. Knows no service: a [`Strategy`] describes how to
//! write to it.

use kindsmith_json::{Arena, Object, Value};

use super::attributes::{Attribute, Attributes};
use super::keyed::{at, has_keys};
use super::path::Step;
use super::{Change, Effective};
use crate::MAX_DEPTH;

/// How a resource is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// A merge patch with only the differences. Kept fields are never sent.
    Patch,
    /// The whole live object with the differences applied, so that fields unknown here are kept.
    Replace,
}

/// How a kind's resources are written.
#[derive(Debug, Clone)]
pub struct Strategy<'i> {
    /// The method.
    pub method: Method,
    /// The path of the value in the live object by which the service detects concurrent changes.
    pub token: Option<&'i [&'i str]>,
}

/// One request's body.
#[derive(Debug, Clone, PartialEq)]
pub struct Write<'a> {
    /// The method. Fields that must be sent alone are always patched.
    pub method: Method,
    /// The content.
    pub body: Value<'a>,
    /// The fields it changes.
    pub fields: Vec<String>,
}

/// Changes that are sent in one request.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch<'a> {
    /// Whether they must be sent alone, and are therefore patched whatever the strategy.
    pub apart: bool,
    /// The changes, with unchanged fields that must be sent with them.
    pub changes: Vec<Change<'a>>,
}

/// The differences as requests, in order: fields that must be sent alone, fields that must be sent together, all
/// others.
#[must_use]
pub fn batches<'a>(effective: &Effective<'a>, attributes: &Attributes) -> Vec<Batch<'a>> {
    let has =
        |change: &Change<'a>, attribute: &Attribute| attributes.of_path(&change.path).contains(attribute);
    let (alone, mut rest): (Vec<Change<'a>>, Vec<Change<'a>>) = effective
        .set
        .iter()
        .cloned()
        .partition(|change| has(change, &Attribute::Alone));
    let apart = |changes| Batch { apart: true, changes };
    let mut batches: Vec<Batch<'a>> = alone.into_iter().map(|change| apart(vec![change])).collect();
    for group in groups(&rest, attributes) {
        let (mut members, others) = rest.into_iter().partition(|change| has(change, &group));
        rest = others;
        let unchanged = siblings(effective, attributes, &group, &members);
        members.extend(unchanged);
        batches.push(apart(members));
    }
    if !rest.is_empty() {
        batches.push(Batch {
            apart: false,
            changes: rest,
        });
    }
    batches
}

/// The requests, in order. The live object must be read again after each, since they are computed from its current
/// state.
#[must_use]
pub fn writes<'a>(
    arena: &'a Arena,
    effective: &Effective<'a>,
    live: Value<'a>,
    attributes: &Attributes,
    strategy: &Strategy<'a>,
) -> Vec<Write<'a>> {
    let whole = without_output(arena, live, attributes);
    let batches = batches(effective, attributes).into_iter();
    let write = |batch: Batch<'a>| {
        if batch.apart || strategy.method == Method::Patch {
            body(arena, Method::Patch, &batch.changes, live, strategy)
        } else {
            body(arena, Method::Replace, &batch.changes, whole, strategy)
        }
    };
    batches.map(write).collect()
}

/// Drops fields that only the service sets; they are not sent back.
fn without_output<'a>(arena: &'a Arena, live: Value<'a>, attributes: &Attributes) -> Value<'a> {
    let removed = attributes.paths_with(&Attribute::OutputOnly).into_iter();
    let removed: Vec<Change<'a>> = removed.map(|path| Change { path, value: None }).collect();
    apply_changes(arena, live, &removed)
}

/// The groups that changes belong to.
fn groups(changes: &[Change<'_>], attributes: &Attributes) -> Vec<Attribute> {
    let mut groups: Vec<Attribute> = Vec::new();
    for attribute in changes.iter().flat_map(|change| attributes.of_path(&change.path)) {
        if matches!(attribute, Attribute::Together(_)) && !groups.contains(attribute) {
            groups.push(attribute.clone());
        }
    }
    groups
}

/// The unchanged members of a group, with their current values.
fn siblings<'a>(
    effective: &Effective<'a>,
    attributes: &Attributes,
    group: &Attribute,
    changed: &[Change<'a>],
) -> Vec<Change<'a>> {
    let paths = attributes.paths_with(group).into_iter();
    let paths = paths.filter(|path| changed.iter().all(|change| change.path != *path));
    paths
        .filter_map(|path| {
            let value = at(effective.object, &path)?;
            Some(Change {
                path,
                value: Some(value),
            })
        })
        .collect()
}

/// One request's body.
#[must_use]
pub fn body<'a>(
    arena: &'a Arena,
    method: Method,
    changes: &[Change<'a>],
    live: Value<'a>,
    strategy: &Strategy<'a>,
) -> Write<'a> {
    let changed = apply_changes(arena, live, changes);
    let mut body = match method {
        Method::Replace => changed,
        Method::Patch => patch(arena, live, changed, changes),
    };
    if let Some(token) = strategy.token
        && let Some(value) = live.lookup(token)
    {
        body.set(arena, token, value);
    }
    let mut fields: Vec<String> = changes.iter().map(|change| change.path.to_string()).collect();
    fields.sort();
    Write { method, body, fields }
}

/// A merge patch. It replaces lists, so a list with one changed item is sent as a whole.
fn patch<'a>(arena: &'a Arena, live: Value<'a>, changed: Value<'a>, changes: &[Change<'a>]) -> Value<'a> {
    let mut patch = Value::Object(Object::EMPTY);
    for change in changes {
        let steps = change.path.steps();
        let end = steps.iter().position(|step| !matches!(step, Step::Field(_)));
        let names: Vec<&'a str> = steps[..end.unwrap_or(steps.len())]
            .iter()
            .filter_map(|step| match step {
                Step::Field(name) => Some(&*arena.alloc_str(name)),
                Step::Item(_) | Step::Each => None,
            })
            .collect();
        let difference = difference(arena, live.lookup(&names), changed.lookup(&names), 0);
        patch.set(arena, &names, difference);
    }
    patch
}

/// The merge patch for one value. Removed members are `null`.
fn difference<'a>(
    arena: &'a Arena,
    live: Option<Value<'a>>,
    new: Option<Value<'a>>,
    depth: usize,
) -> Value<'a> {
    let (Some(Value::Object(live)), Some(Value::Object(new))) = (live, new) else {
        return new.unwrap_or_default();
    };
    let mut patch = Object::EMPTY.edit(arena);
    for (key, value) in new {
        match live.get(key) {
            Some(old) if old == value => {}
            old if depth < MAX_DEPTH => {
                patch.insert(key, difference(arena, old, Some(value), depth + 1));
            }
            _ => drop(patch.insert(key, value)),
        }
    }
    for key in live.keys().filter(|key| !new.contains_key(key)) {
        patch.insert(key, Value::Null);
    }
    Value::Object(patch.finish())
}

/// The live object with the changes applied.
#[must_use]
pub fn apply_changes<'a>(arena: &'a Arena, live: Value<'a>, changes: &[Change<'a>]) -> Value<'a> {
    changes.iter().fold(live, |live, change| {
        put(arena, Some(live), change.path.steps(), change.value).unwrap_or_default()
    })
}

fn put<'a>(
    arena: &'a Arena,
    here: Option<Value<'a>>,
    steps: &[Step],
    value: Option<Value<'a>>,
) -> Option<Value<'a>> {
    let Some((step, rest)) = steps.split_first() else {
        return value;
    };
    match step {
        Step::Field(name) => {
            let object = here.and_then(Value::as_object);
            // There is nothing to remove.
            if object.is_none() && value.is_none() {
                return here;
            }
            let mut object = object.unwrap_or_default();
            match put(arena, object.get(name), rest, value) {
                Some(value) => drop(object.insert(arena, arena.alloc_str(name), value)),
                None => drop(object.remove(arena, name)),
            }
            Some(Value::Object(object))
        }
        Step::Item(keys) => {
            let mut items = here.and_then(Value::as_array).unwrap_or_default().to_vec();
            let position = items.iter().position(|item| has_keys(*item, keys));
            match (position, put(arena, position.map(|at| items[at]), rest, value)) {
                (Some(at), Some(value)) => items[at] = value,
                (None, Some(value)) => items.push(value),
                (Some(at), None) => drop(items.remove(at)),
                (None, None) => {}
            }
            Some(Value::Array(arena.alloc_slice_copy(&items)))
        }
        Step::Each => here,
    }
}
