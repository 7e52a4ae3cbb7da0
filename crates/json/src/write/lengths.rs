//! How long values that share parts are as JSON: an object that was counted before is not counted again.

use std::marker::PhantomData;

use rustc_hash::FxHashMap;

use super::Format;
use crate::{Object, Value};

/// The bytes of values as compact JSON, as [`Format::len`] counts them.
#[derive(Debug, Default)]
pub struct Lengths<'a> {
    /// By where the entries of an object are, and how many.
    known: FxHashMap<(usize, usize), usize>,
    /// Values are there as long as this is, so no other value comes to stand in the place of one.
    values: PhantomData<Value<'a>>,
}

/// What is nested deeper is left to the writer, which needs no stack.
const MAX_RECURSION: usize = 64;

impl<'a> Lengths<'a> {
    /// The bytes of a value.
    pub fn of(&mut self, value: Value<'a>) -> usize {
        self.value(value, 0)
    }

    fn value(&mut self, value: Value<'a>, depth: usize) -> usize {
        match value {
            Value::Array(items) if !items.is_empty() && depth < MAX_RECURSION => {
                let inside: usize = items.iter().map(|item| self.value(*item, depth + 1)).sum();
                inside + brackets_and_commas(items.len())
            }
            Value::Object(object) if !object.is_empty() && depth < MAX_RECURSION => {
                self.object(object, depth)
            }
            _ => Format::default().len(value),
        }
    }

    fn object(&mut self, object: Object<'a>, depth: usize) -> usize {
        let entries = object.entries();
        let part = (entries.as_ptr().addr(), entries.len());
        if let Some(known) = self.known.get(&part) {
            return *known;
        }
        let mut bytes = brackets_and_commas(entries.len());
        for entry in entries {
            let key = Format::default().len(Value::Str(entry.key));
            bytes += key + ":".len() + self.value(entry.value, depth + 1);
        }
        self.known.insert(part, bytes);
        bytes
    }
}

/// What is around and between so many children.
fn brackets_and_commas(children: usize) -> usize {
    2 + children.saturating_sub(1)
}
