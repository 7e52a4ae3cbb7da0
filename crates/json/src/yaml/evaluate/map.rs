//! Maps: keys of any scalar type, merged maps, repeated keys. Knows no text.

use std::collections::HashMap;

use super::{Duplicate, Evaluation};
use crate::key::key_mark;
use crate::value::SMALL;
use crate::yaml::error::{Family, Fault, Outcome};
use crate::yaml::key::{Key, json_key};
use crate::yaml::show::{show, show_scalar};
use crate::yaml::tree::Kind;
use crate::{Entry, Object, ObjectEdit, Value, write};

/// Replaces a key that JSON cannot have; the entry's value is for [`no_key`]. Recognized by its address.
static NO_KEY: &str = "(no key)";

/// Builds one map.
pub(super) struct Builder<'e, 't, 'a> {
    evaluation: &'e mut Evaluation<'t, 'a>,
    /// Keys with the nodes of their values.
    entries: Vec<(Key<'a>, u32)>,
    /// The marks of all keys so far: for most new keys they are enough to know that they are new.
    seen: u64,
    /// The position of each key, once there are many.
    index: Option<HashMap<Key<'a>, usize>>,
}

impl<'e, 't, 'a> Builder<'e, 't, 'a> {
    pub(super) fn new(evaluation: &'e mut Evaluation<'t, 'a>) -> Self {
        Builder {
            entries: std::mem::take(&mut evaluation.entries),
            evaluation,
            seen: 0,
            index: None,
        }
    }

    /// The value of a map node.
    pub(super) fn build(mut self, id: u32) -> Value<'a> {
        self.collect(id);
        let value = self.finish();
        self.entries.clear();
        self.evaluation.entries = self.entries;
        value
    }

    /// Collects the entries of a map and of the maps merged into it, in the order written.
    fn collect(&mut self, id: u32) {
        let tree = self.evaluation.tree;
        // More maps to collect entries from, with the children that are left.
        let mut open = Vec::new();
        let mut rest = tree.children(id);
        loop {
            while let [key, value, behind @ ..] = rest {
                rest = behind;
                if self.evaluation.is_merge(*key) {
                    open.push(rest);
                    self.merged(*value, &mut open);
                    break;
                }
                self.insert(*key, *value);
            }
            match open.pop() {
                Some(map) => rest = map,
                None => return,
            }
        }
    }

    /// Queues the maps of a merge key. If there are several the first wins, so it comes last.
    fn merged(&mut self, value: u32, open: &mut Vec<&'t [u32]>) {
        let tree = self.evaluation.tree;
        let sources = match tree.nodes[value as usize].kind {
            Kind::Seq { .. } => tree.children(value),
            _ => std::slice::from_ref(&value),
        };
        for &source in sources {
            let map = tree.target(source);
            match tree.nodes[map as usize].kind {
                Kind::Map { .. } => open.push(tree.children(map)),
                // An alias here refers to a node that contains it, which has been reported.
                Kind::Alias { .. } => {}
                _ => {
                    let message = "map merge requires map or sequence of maps as the value";
                    self.evaluation.fail(message, tree.nodes[source as usize].start);
                }
            }
        }
    }

    fn insert(&mut self, key_node: u32, value: u32) {
        let Some(key) = Key::of(self.evaluation.values[key_node as usize]) else {
            self.evaluation.refuse_key(key_node);
            return;
        };
        let Some(known) = self.position(key) else {
            self.entries.push((key, value));
            return;
        };
        self.entries[known].1 = value;
        let line = self.evaluation.tree.nodes[value as usize].start.line as usize + 1;
        let key = show_scalar(self.evaluation.values[key_node as usize]);
        self.evaluation.duplicates.push(Duplicate { key, line });
    }

    fn position(&mut self, key: Key<'a>) -> Option<usize> {
        let count = self.entries.len();
        if count <= SMALL {
            let mark = match key {
                Key::Str(text) => key_mark(text),
                _ => u64::MAX,
            };
            let is_new = self.seen & mark == 0;
            self.seen |= mark;
            let find = || self.entries.iter().position(|(known, _)| *known == key);
            return if is_new { None } else { find() };
        }
        let entries = &self.entries;
        let index = self.index.get_or_insert_with(|| {
            let keys = entries.iter().enumerate();
            keys.map(|(position, (key, _))| (*key, position)).collect()
        });
        match index.entry(key) {
            std::collections::hash_map::Entry::Occupied(known) => Some(*known.get()),
            std::collections::hash_map::Entry::Vacant(free) => {
                free.insert(count);
                None
            }
        }
    }

    fn finish(&mut self) -> Value<'a> {
        let (evaluation, entries) = (&mut *self.evaluation, &self.entries);
        let arena = evaluation.arena;
        if entries.iter().all(|(key, _)| matches!(key, Key::Str(_))) {
            let slice = arena.alloc_slice_fill_iter(entries.iter().map(|&(key, value)| Entry {
                key: if let Key::Str(text) = key { text } else { "" },
                value: evaluation.normal(evaluation.values[value as usize]),
            }));
            return Value::Object(Object::from_entries(arena, slice));
        }
        let mut object = ObjectEdit::new(arena, Object::EMPTY);
        for &(key, node) in entries {
            let value = evaluation.normal(evaluation.values[node as usize]);
            match json_key(key) {
                Ok(text) => {
                    object.insert(arena.alloc_str(&text), value);
                }
                Err(key) => {
                    evaluation.suspicious = true;
                    let why = [Value::Str(arena.alloc_str(&key)), Value::Int(node.into())];
                    object.insert(NO_KEY, Value::Array(arena.alloc_slice_copy(&why)));
                }
            }
        }
        Value::Object(object.finish())
    }
}

/// Rejects values that JSON does not have: first keys, then numbers, in Go's order.
pub(super) fn check_json(evaluation: &Evaluation<'_, '_>, root: Value<'_>) -> Outcome<()> {
    let mut number = None;
    let mut open = vec![root];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items.iter().rev()),
            Value::Object(object) => {
                let entries = object.sorted();
                if let Some(entry) = entries.iter().find(|entry| std::ptr::eq(entry.key, NO_KEY)) {
                    let message = no_key(evaluation, entry.value);
                    return Err(Fault::new(Family::Json, message, Default::default()));
                }
                open.extend(entries.iter().rev().map(|entry| entry.value));
            }
            Value::Float(float) if !float.is_finite() => number = number.or(Some(float)),
            _ => {}
        }
    }
    let Some(number) = number else {
        return Ok(());
    };
    let mut message = "json: unsupported value: ".to_owned();
    write::append_float_general(&mut message, number);
    Err(Fault::new(Family::Json, message, Default::default()))
}

/// Why an entry has no key: the value holds the key and the node of the value.
fn no_key(evaluation: &Evaluation<'_, '_>, why: Value<'_>) -> String {
    let key = why.at(0).and_then(Value::as_str).unwrap_or_default();
    let node = why.at(1).and_then(Value::as_i64).unwrap_or_default();
    let value = match show(evaluation.tree, &evaluation.values, node as u32) {
        // At the top level, Go prints the missing value without a type.
        nil if nil == "interface {}(nil)" => "<nil>".to_owned(),
        value => value,
    };
    format!("unsupported map key of type: {key}, value: {value}")
}
