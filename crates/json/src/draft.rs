//! Values with many changes: a tree that is expanded only where something changes.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::{Arena, Entry, Object, Value};

/// A value being changed in place.
///
/// Starts as a shared value; [`get_mut`](Self::get_mut) and similar methods expand one container at a time,
/// and everything that was never expanded is still shared when [`freeze`](Self::freeze) turns it into a
/// value. Unlike with [`crate::ObjectEdit`], a thousand changes to one big container copy it once, so patches
/// from outside cannot make the arena grow without bound.
pub struct Draft<'a>(Repr<'a>);

enum Repr<'a> {
    /// Unchanged.
    Value(Value<'a>),
    Array(Vec<Draft<'a>>),
    Object(Members<'a>),
}

/// The members of an expanded object. A thousand changes to an object with a thousand members are not a million steps.
struct Members<'a> {
    /// In order; what was removed leaves a hole.
    entries: Vec<Option<(Cow<'a, str>, Draft<'a>)>>,
    /// Where the entry of each key is.
    places: BTreeMap<Cow<'a, str>, usize>,
}

impl<'a> Members<'a> {
    fn new(object: Object<'a>) -> Self {
        let entries = object.iter();
        Self {
            places: entries
                .clone()
                .enumerate()
                .map(|(place, (key, _))| (Cow::Borrowed(key), place))
                .collect(),
            entries: entries
                .map(|(key, value)| Some((Cow::Borrowed(key), Draft::new(value))))
                .collect(),
        }
    }

    fn get_mut(&mut self, key: &str) -> Option<&mut Draft<'a>> {
        let place = *self.places.get(key)?;
        self.entries[place].as_mut().map(|(_, value)| value)
    }

    fn insert(&mut self, key: Cow<'a, str>, value: Draft<'a>) -> Option<Draft<'a>> {
        if let Some(slot) = self.get_mut(&key) {
            return Some(std::mem::replace(slot, value));
        }
        self.places.insert(key.clone(), self.entries.len());
        self.entries.push(Some((key, value)));
        None
    }

    fn remove(&mut self, key: &str) -> Option<Draft<'a>> {
        let place = self.places.remove(key)?;
        self.entries[place].take().map(|(_, value)| value)
    }
}

impl<'a> Draft<'a> {
    /// Starts to change `value`.
    #[must_use]
    pub fn new(value: Value<'a>) -> Self {
        Draft(Repr::Value(value))
    }

    /// The elements, expanded; `None` if this is not an array.
    pub fn as_array_mut(&mut self) -> Option<&mut Vec<Draft<'a>>> {
        if let Repr::Value(Value::Array(items)) = &self.0 {
            self.0 = Repr::Array(items.iter().copied().map(Draft::new).collect());
        }
        match &mut self.0 {
            Repr::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The members, expanded; `None` if this is not an object.
    fn as_object_mut(&mut self) -> Option<&mut Members<'a>> {
        if let Repr::Value(Value::Object(object)) = self.0 {
            self.0 = Repr::Object(Members::new(object));
        }
        match &mut self.0 {
            Repr::Object(members) => Some(members),
            _ => None,
        }
    }

    /// Is this an array?
    #[must_use]
    pub fn is_array(&self) -> bool {
        matches!(self.0, Repr::Array(_) | Repr::Value(Value::Array(_)))
    }

    /// Is this an object?
    #[must_use]
    pub fn is_object(&self) -> bool {
        matches!(self.0, Repr::Object(_) | Repr::Value(Value::Object(_)))
    }

    /// The number of elements or entries; 0 for a scalar.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            Repr::Array(items) => items.len(),
            Repr::Object(members) => members.places.len(),
            Repr::Value(Value::Array(items)) => items.len(),
            Repr::Value(Value::Object(object)) => object.len(),
            Repr::Value(_) => 0,
        }
    }

    /// Is it without elements or entries?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Is there an entry under `key`? Expands nothing.
    #[must_use]
    pub fn contains_key(&self, key: &str) -> bool {
        match &self.0 {
            Repr::Object(members) => members.places.contains_key(key),
            Repr::Value(value) => value.get(key).is_some(),
            Repr::Array(_) => false,
        }
    }

    /// The value under `key`, mutable.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Draft<'a>> {
        if !self.contains_key(key) {
            return None;
        }
        self.as_object_mut()?.get_mut(key)
    }

    /// The element at `index`, mutable.
    pub fn at_mut(&mut self, index: usize) -> Option<&mut Draft<'a>> {
        self.as_array_mut()?.get_mut(index)
    }

    /// Sets the value under `key`, in place or at the end, and returns the one it replaces. If this is not an
    /// object, does nothing and returns the new value.
    pub fn insert(&mut self, key: impl Into<Cow<'a, str>>, value: Draft<'a>) -> Option<Draft<'a>> {
        match self.as_object_mut() {
            Some(members) => members.insert(key.into(), value),
            None => Some(value),
        }
    }

    /// Removes `key` and returns its value.
    pub fn remove(&mut self, key: &str) -> Option<Draft<'a>> {
        if !self.contains_key(key) {
            return None;
        }
        self.as_object_mut()?.remove(key)
    }

    /// Turns it into a value; unchanged parts are shared.
    #[must_use]
    pub fn freeze(&self, arena: &'a Arena) -> Value<'a> {
        let mut open = vec![(self, 0)];
        let mut done: Vec<Value<'a>> = Vec::new();
        while let Some((draft, next)) = open.pop() {
            if let Repr::Value(value) = draft.0 {
                done.push(value);
                continue;
            }
            match draft.child(next) {
                Some((place, child)) => open.extend([(draft, place + 1), (child, 0)]),
                None => {
                    let children = done.split_off(done.len() - draft.len());
                    done.push(draft.assemble(arena, &children));
                }
            }
        }
        done.pop().unwrap_or_default()
    }

    /// The first element or member from a place on, and its place.
    fn child(&self, from: usize) -> Option<(usize, &Draft<'a>)> {
        match &self.0 {
            Repr::Value(_) => None,
            Repr::Array(items) => items.get(from).map(|item| (from, item)),
            Repr::Object(members) => {
                let mut rest = members.entries.iter().enumerate().skip(from);
                rest.find_map(|(place, entry)| entry.as_ref().map(|(_, value)| (place, value)))
            }
        }
    }

    fn assemble(&self, arena: &'a Arena, children: &[Value<'a>]) -> Value<'a> {
        let Repr::Object(members) = &self.0 else {
            return Value::Array(arena.alloc_slice_copy(children));
        };
        let kept = members.entries.iter().flatten().zip(children);
        let entries: Vec<Entry<'a>> = kept
            .map(|((key, _), &value)| Entry {
                key: match key {
                    Cow::Borrowed(key) => key,
                    Cow::Owned(key) => arena.alloc_str(key),
                },
                value,
            })
            .collect();
        Value::Object(Object::from_entries(arena, arena.alloc_slice_copy(&entries)))
    }
}

impl std::fmt::Debug for Draft<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let arena = Arena::new();
        let draft: &Draft<'_> = self;
        write!(out, "{:?}", draft.freeze(&arena))
    }
}

/// Frees nested drafts iteratively, so that deep nesting cannot overflow the stack.
impl Drop for Draft<'_> {
    fn drop(&mut self) {
        if matches!(self.0, Repr::Value(_)) {
            return;
        }
        let mut open = vec![take(self)];
        while let Some(repr) = open.pop() {
            match repr {
                Repr::Value(_) => {}
                Repr::Array(mut items) => open.extend(items.iter_mut().map(take)),
                Repr::Object(mut members) => {
                    open.extend(members.entries.iter_mut().flatten().map(|(_, value)| take(value)));
                }
            }
        }
    }
}

fn take<'a>(draft: &mut Draft<'a>) -> Repr<'a> {
    std::mem::replace(&mut draft.0, Repr::Value(Value::Null))
}

impl<'a> From<Value<'a>> for Draft<'a> {
    fn from(value: Value<'a>) -> Self {
        Draft::new(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(object: Object<'_>) -> *const u8 {
        object.entries().as_ptr().cast()
    }

    #[test]
    fn changed_parts_are_copied_and_the_rest_is_shared() {
        let arena = Arena::new();
        let text = r#"{"a":{"b":[1,{"c":2}]},"rest":{"x":[1]}}"#;
        let before = crate::parse_str(&arena, text).expect("JSON");
        let mut draft = Draft::new(before);
        let list = draft.get_mut("a").and_then(|a| a.get_mut("b")).expect("there");
        list.at_mut(1)
            .expect("there")
            .insert("d", Value::Bool(true).into());
        list.as_array_mut().expect("an array").push(Value::Null.into());
        assert!(draft.remove("missing").is_none());
        draft.insert("gone", Value::Null.into());
        assert!(draft.remove("gone").is_some() && draft.remove("gone").is_none());
        let after = draft.freeze(&arena);
        assert_eq!(
            crate::to_string(after),
            r#"{"a":{"b":[1,{"c":2,"d":true},null]},"rest":{"x":[1]}}"#
        );
        let rest = |value: Value<'_>| value.get("rest").and_then(Value::as_object).map(address);
        assert_eq!(rest(before), rest(after));
        assert_eq!(crate::to_string(before), text);
    }

    #[test]
    fn deep_drafts_do_not_overflow_the_stack() {
        let arena = Arena::new();
        let text = "[".repeat(10_000) + &"]".repeat(10_000);
        let mut draft = Draft::new(crate::parse_str(&arena, &text).expect("JSON"));
        let mut here = &mut draft;
        while !here.is_empty() {
            here = here.at_mut(0).expect("not empty");
        }
        here.as_array_mut().expect("an array").push(Value::Int(1).into());
        let expected = "[".repeat(10_000) + "1" + &"]".repeat(10_000);
        assert_eq!(crate::to_string(draft.freeze(&arena)), expected);
    }
}
