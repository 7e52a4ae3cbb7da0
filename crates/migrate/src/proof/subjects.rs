//! What is run: the functions for a kind, or a function for a part of one that no function for a kind calls.

use std::collections::BTreeSet;

use kindsmith_schema::{Schema, Shape, TypeId, TypeRef, WellKnown};

use crate::validation::{Reading, Role, Validator};

/// A type with the functions that validate it.
#[derive(Debug, Clone, PartialEq)]
pub struct Subject {
    /// The type.
    pub ty: TypeId,
    /// The function for new objects, by its place in the reading.
    pub create: Option<usize>,
    /// The function for changed objects.
    pub update: Option<usize>,
    /// Whether only the status is written.
    pub is_status: bool,
    /// Whether the status is left out, because it is written on its own.
    pub without_status: bool,
    /// Functions with objects that these reach, themselves included.
    pub reached: BTreeSet<String>,
}

/// The subjects for all proposals of a reading.
#[must_use]
pub fn subjects(schema: &Schema, reading: &Reading) -> Vec<Subject> {
    let mut made: Vec<Subject> = Vec::new();
    let mut covered: BTreeSet<String> = BTreeSet::new();
    for (id, ty) in schema.types() {
        if !is_input(schema, &ty.name.package) || !is_kind(schema, id) {
            continue;
        }
        for subject in of_kind(reading, id, &ty.name.name) {
            covered.extend(subject.reached.iter().cloned());
            made.push(subject);
        }
    }
    // What no function for a kind calls is run on its own.
    let entries: BTreeSet<&str> = reading
        .rules
        .iter()
        .filter(|rule| rule.tags.is_ok())
        .map(|rule| &*rule.emit.entry)
        .collect();
    for (index, validator) in reading.functions.iter().enumerate() {
        if covered.contains(&validator.name) || !entries.contains(&*validator.name) {
            continue;
        }
        let Some((root, has_old)) = object(validator) else {
            continue;
        };
        for (id, ty) in schema.types() {
            if &*ty.name.name == root && is_input(schema, &ty.name.package) {
                made.push(Subject {
                    ty: id,
                    create: (!has_old).then_some(index),
                    update: has_old.then_some(index),
                    is_status: false,
                    without_status: false,
                    reached: reached(reading, [index]),
                });
            }
        }
    }
    made
}

fn of_kind(reading: &Reading, ty: TypeId, name: &str) -> Vec<Subject> {
    let mut creates: Vec<usize> = Vec::new();
    let mut updates: Vec<usize> = Vec::new();
    let mut status: Vec<usize> = Vec::new();
    for (index, validator) in reading.functions.iter().enumerate() {
        let Some((root, has_old)) = object(validator) else {
            continue;
        };
        if root != name {
            continue;
        }
        let is_status = validator.name.contains("Status");
        match (has_old, is_status) {
            (true, true) => status.push(index),
            (true, false) => updates.push(index),
            (false, _) => creates.push(index),
        }
    }
    // The function that calls most of the others is the one that is called from outside.
    let widest = |of: &[usize]| {
        let size = |index: &usize| reached(reading, [*index]).len();
        of.iter()
            .copied()
            .max_by_key(|index| (size(index), std::cmp::Reverse(*index)))
    };
    let (create, update) = (widest(&creates), widest(&updates));
    let mut made = Vec::new();
    if create.is_some() || update.is_some() {
        made.push(Subject {
            ty,
            create,
            update,
            is_status: false,
            without_status: !status.is_empty(),
            reached: reached(reading, create.into_iter().chain(update)),
        });
    }
    made.extend(status.into_iter().map(|index| Subject {
        ty,
        create: None,
        update: Some(index),
        is_status: true,
        without_status: false,
        reached: reached(reading, [index]),
    }));
    made
}

/// The type of the object of a function, and whether it takes the old one, too. Functions with several objects are not run.
fn object(validator: &Validator) -> Option<(&str, bool)> {
    let mut new = None;
    let mut old = None;
    for (role, _) in &validator.params {
        match role {
            Role::Object { root, is_old: false } if new.is_none() => new = Some(root.as_str()),
            Role::Object { root, is_old: true } if old.is_none() => old = Some(root.as_str()),
            Role::Object { .. } => return None,
            Role::Path | Role::Other => {}
        }
    }
    let new = new?;
    (old.is_none() || old == Some(new)).then_some((new, old.is_some()))
}

/// The functions that are called from some.
fn reached(reading: &Reading, from: impl IntoIterator<Item = usize>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut pending: Vec<&Validator> = from
        .into_iter()
        .filter_map(|index| reading.functions.get(index))
        .collect();
    while let Some(validator) = pending.pop() {
        if found.insert(validator.name.clone()) {
            let called = |one: &&Validator| validator.calls.contains(&one.name);
            pending.extend(reading.functions.iter().filter(called));
        }
    }
    found
}

fn is_input(schema: &Schema, package: &str) -> bool {
    schema.package(package).is_some_and(|package| package.input)
}

/// Whether the type has metadata of objects.
fn is_kind(schema: &Schema, id: TypeId) -> bool {
    let Shape::Struct(fields) = &schema.ty(id).shape else {
        return false;
    };
    fields.fields.iter().any(|field| {
        let TypeRef::Named(of) = field.ty else {
            return false;
        };
        WellKnown::named(&schema.ty(of).name) == Some(WellKnown::ObjectMeta)
    })
}
