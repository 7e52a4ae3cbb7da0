//! Edits of objects and arrays: shared until the first change, then a copy.

use std::collections::{BTreeMap, BTreeSet};

use bumpalo::collections::Vec as ArenaVec;

use crate::value::SMALL;
use crate::{Arena, Entry, Object, Value};

impl<'a> Object<'a> {
    /// Starts an edit of this object; nothing is copied before the first change.
    #[must_use]
    pub fn edit(self, arena: &'a Arena) -> ObjectEdit<'a> {
        ObjectEdit::new(arena, self)
    }

    /// Sets the value under `key` and returns the one it replaces. Copies the entries.
    pub fn insert(&mut self, arena: &'a Arena, key: &'a str, value: Value<'a>) -> Option<Value<'a>> {
        let mut edit = self.edit(arena);
        let replaced = edit.insert(key, value);
        *self = edit.finish();
        replaced
    }

    /// Removes `key` and returns its value. Copies the entries if it exists.
    pub fn remove(&mut self, arena: &'a Arena, key: &str) -> Option<Value<'a>> {
        let mut edit = self.edit(arena);
        let removed = edit.remove(key);
        *self = edit.finish();
        removed
    }
}

impl<'a> Value<'a> {
    /// Sets the value under a chain of keys, creating objects where there is no object yet.
    ///
    /// Copies every object on the path once; for many changes use [`ObjectEdit`].
    pub fn set(&mut self, arena: &'a Arena, keys: &[&'a str], value: Value<'a>) {
        let mut chain = Vec::with_capacity(keys.len());
        let mut here = Some(*self);
        for key in keys {
            let object = here.and_then(Value::as_object).unwrap_or_default();
            here = object.get(key);
            chain.push(object);
        }
        let mut value = value;
        for (mut object, key) in chain.into_iter().zip(keys).rev() {
            object.insert(arena, key, value);
            value = Value::Object(object);
        }
        *self = value;
    }

    /// Removes the value under a chain of keys and returns it.
    pub fn unset(&mut self, arena: &'a Arena, keys: &[&'a str]) -> Option<Value<'a>> {
        let (last, parents) = keys.split_last()?;
        let mut object = self.lookup(parents)?.as_object()?;
        let removed = object.remove(arena, last)?;
        self.set(arena, parents, Value::Object(object));
        Some(removed)
    }
}

/// An edit of an object.
///
/// Reads see the changes. [`finish`](Self::finish) returns the changed object, or the very same one when
/// nothing changed. Children are values: take one out, change it, and [`set`](Self::set) it back.
#[derive(Debug)]
pub struct ObjectEdit<'a> {
    arena: &'a Arena,
    base: Object<'a>,
    changed: Option<ArenaVec<'a, Entry<'a>>>,
    // Positions of the keys in `changed`, once it has many entries and a key was looked up.
    index: Option<BTreeMap<&'a str, usize>>,
    // Positions in `changed` that no longer count: among many entries, closing each gap at once would make the
    // removal of many keys quadratic.
    removed: BTreeSet<usize>,
}

impl<'a> ObjectEdit<'a> {
    /// Starts to change `base`.
    #[must_use]
    pub fn new(arena: &'a Arena, base: Object<'a>) -> Self {
        ObjectEdit {
            arena,
            base,
            changed: None,
            index: None,
            removed: BTreeSet::new(),
        }
    }

    /// The current entries.
    pub fn entries(&mut self) -> &[Entry<'a>] {
        self.close_gaps();
        match &self.changed {
            Some(entries) => entries,
            None => self.base.entries(),
        }
    }

    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.changed {
            Some(entries) => entries.len() - self.removed.len(),
            None => self.base.len(),
        }
    }

    /// Is it without entries?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Has anything been changed?
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.changed.is_some()
    }

    /// The position of `key`, good until the next removal.
    pub fn position(&mut self, key: &str) -> Option<usize> {
        let Some(entries) = &self.changed else {
            return self.base.position(key);
        };
        if entries.len() <= SMALL {
            return entries.iter().position(|entry| entry.key == key);
        }
        let numbered = || {
            entries
                .iter()
                .enumerate()
                .map(|(position, entry)| (entry.key, position))
                .collect()
        };
        self.index.get_or_insert_with(numbered).get(key).copied()
    }

    /// The value at a position from [`position`](Self::position).
    #[must_use]
    pub fn at(&self, position: usize) -> Value<'a> {
        match &self.changed {
            Some(entries) => entries[position].value,
            None => self.base.entries()[position].value,
        }
    }

    /// The value under `key`.
    pub fn get(&mut self, key: &str) -> Option<Value<'a>> {
        self.position(key).map(|position| self.at(position))
    }

    /// Replaces the value at `position`. Panics past the end, like a slice.
    pub fn set(&mut self, position: usize, value: Value<'a>) {
        self.entries_mut()[position].value = value;
    }

    /// Appends an entry whose key must be new.
    pub fn push(&mut self, key: &'a str, value: Value<'a>) {
        let entries = self.entries_mut();
        let position = entries.len();
        entries.push(Entry { key, value });
        if let Some(index) = &mut self.index {
            index.insert(key, position);
        }
    }

    /// Sets the value under `key`, in place or at the end, and returns the one it replaces.
    pub fn insert(&mut self, key: &'a str, value: Value<'a>) -> Option<Value<'a>> {
        let Some(position) = self.position(key) else {
            self.push(key, value);
            return None;
        };
        let slot = &mut self.entries_mut()[position].value;
        Some(std::mem::replace(slot, value))
    }

    /// Removes `key`, keeping the order of the others, and returns its value.
    pub fn remove(&mut self, key: &str) -> Option<Value<'a>> {
        let position = self.position(key)?;
        if self.entries_mut().len() <= SMALL {
            return Some(self.entries_mut().remove(position).value);
        }
        // The index that finds the key must not find it again; it is built here if the edit begins with this removal.
        let position = self.position(key)?;
        if let Some(index) = &mut self.index {
            index.remove(key);
        }
        self.removed.insert(position);
        Some(self.at(position))
    }

    /// Keeps the entries for which `keep` returns true.
    pub fn retain(&mut self, mut keep: impl FnMut(&'a str, Value<'a>) -> bool) {
        let Some(first) = self
            .entries()
            .iter()
            .position(|entry| !keep(entry.key, entry.value))
        else {
            return;
        };
        self.index = None;
        let mut position = 0;
        self.entries_mut().retain(|entry| {
            position += 1;
            position <= first || (position > first + 1 && keep(entry.key, entry.value))
        });
    }

    /// Ends the edit.
    #[must_use]
    pub fn finish(mut self) -> Object<'a> {
        self.close_gaps();
        match self.changed {
            Some(entries) => Object::from_entries(self.arena, entries.into_bump_slice()),
            None => self.base,
        }
    }

    fn entries_mut(&mut self) -> &mut ArenaVec<'a, Entry<'a>> {
        let (arena, base) = (self.arena, self.base.entries());
        self.changed.get_or_insert_with(|| thaw(arena, base))
    }

    fn close_gaps(&mut self) {
        if let Some(entries) = &mut self.changed
            && !self.removed.is_empty()
        {
            let removed = std::mem::take(&mut self.removed);
            let mut position = 0;
            entries.retain(|_| {
                position += 1;
                !removed.contains(&(position - 1))
            });
            self.index = None;
        }
    }
}

/// An edit of an array; see [`ObjectEdit`].
#[derive(Debug)]
pub struct ArrayEdit<'a> {
    arena: &'a Arena,
    base: &'a [Value<'a>],
    changed: Option<ArenaVec<'a, Value<'a>>>,
}

impl<'a> ArrayEdit<'a> {
    /// Starts to change `base`.
    #[must_use]
    pub fn new(arena: &'a Arena, base: &'a [Value<'a>]) -> Self {
        ArrayEdit {
            arena,
            base,
            changed: None,
        }
    }

    /// The current elements.
    #[must_use]
    pub fn items(&self) -> &[Value<'a>] {
        match &self.changed {
            Some(items) => items,
            None => self.base,
        }
    }

    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items().len()
    }

    /// Is it without elements?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items().is_empty()
    }

    /// Has anything been changed?
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.changed.is_some()
    }

    /// The element at `position`.
    #[must_use]
    pub fn get(&self, position: usize) -> Option<Value<'a>> {
        self.items().get(position).copied()
    }

    /// Replaces the element at `position`. Panics past the end, like a slice.
    pub fn set(&mut self, position: usize, value: Value<'a>) {
        self.items_mut()[position] = value;
    }

    /// Appends an element.
    pub fn push(&mut self, value: Value<'a>) {
        self.items_mut().push(value);
    }

    /// Inserts an element before `position`. Panics past the end, like a slice.
    pub fn insert(&mut self, position: usize, value: Value<'a>) {
        self.items_mut().insert(position, value);
    }

    /// Removes the element at `position` and returns it. Panics past the end, like a slice.
    pub fn remove(&mut self, position: usize) -> Value<'a> {
        self.items_mut().remove(position)
    }

    /// Keeps the elements for which `keep` returns true.
    pub fn retain(&mut self, mut keep: impl FnMut(Value<'a>) -> bool) {
        let Some(first) = self.items().iter().position(|&item| !keep(item)) else {
            return;
        };
        let mut position = 0;
        self.items_mut().retain(|&item| {
            position += 1;
            position <= first || (position > first + 1 && keep(item))
        });
    }

    /// Ends the edit.
    #[must_use]
    pub fn finish(self) -> &'a [Value<'a>] {
        match self.changed {
            Some(items) => items.into_bump_slice(),
            None => self.base,
        }
    }

    fn items_mut(&mut self) -> &mut ArenaVec<'a, Value<'a>> {
        let (arena, base) = (self.arena, self.base);
        self.changed.get_or_insert_with(|| thaw(arena, base))
    }
}

// Most edits add a field or two, so a little spare room saves a second copy.
fn thaw<'a, T: Copy>(arena: &'a Arena, base: &[T]) -> ArenaVec<'a, T> {
    let mut copy = ArenaVec::with_capacity_in(base.len() + 4, arena);
    copy.extend_from_slice_copy(base);
    copy
}
