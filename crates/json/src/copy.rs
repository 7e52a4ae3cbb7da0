//! Deep copies into another arena. Recursion is fastest; below a fixed depth an explicit stack takes over, so
//! deep nesting cannot overflow the thread's stack.

use crate::{Arena, Entry, Object, Value};

impl Value<'_> {
    /// Copies the value and everything in it, including strings, so that it no longer depends on its source.
    #[must_use]
    pub fn copy_in(self, arena: &Arena) -> Value<'_> {
        copy(self, arena, 0)
    }
}

const MAX_RECURSION: usize = 64;

fn copy<'b>(value: Value<'_>, arena: &'b Arena, depth: usize) -> Value<'b> {
    match value {
        Value::Null => Value::Null,
        Value::Bool(truth) => Value::Bool(truth),
        Value::Int(number) => Value::Int(number),
        Value::Uint(number) => Value::Uint(number),
        Value::Float(number) => Value::Float(number),
        Value::Str(text) => Value::Str(arena.alloc_str(text)),
        _ if depth == MAX_RECURSION => copy_deep(value, arena),
        Value::Array(items) => {
            Value::Array(arena.alloc_slice_fill_iter(items.iter().map(|&item| copy(item, arena, depth + 1))))
        }
        Value::Object(object) => {
            let copied = object.entries().iter().map(|entry| Entry {
                key: arena.alloc_str(entry.key),
                value: copy(entry.value, arena, depth + 1),
            });
            Value::Object(Object::from_entries(arena, arena.alloc_slice_fill_iter(copied)))
        }
    }
}

/// A container whose children are being copied; `done` of them are already in the new one.
enum Frame<'s, 'b> {
    Array {
        from: &'s [Value<'s>],
        to: &'b mut [Value<'b>],
        done: usize,
    },
    Object {
        from: &'s [Entry<'s>],
        to: &'b mut [Entry<'b>],
        done: usize,
    },
}

fn copy_deep<'b>(root: Value<'_>, arena: &'b Arena) -> Value<'b> {
    let mut stack = Vec::new();
    let mut finished = begin(root, arena, &mut stack);
    loop {
        let Some(frame) = stack.last_mut() else {
            return finished.unwrap_or_default();
        };
        if let Some(value) = finished.take() {
            store(frame, value);
        }
        match next_child(frame) {
            Some(child) => finished = begin(child, arena, &mut stack),
            None => finished = stack.pop().map(|frame| freeze(frame, arena)),
        }
    }
}

/// Copies a scalar; for a container only pushes the frame.
fn begin<'s, 'b>(value: Value<'s>, arena: &'b Arena, stack: &mut Vec<Frame<'s, 'b>>) -> Option<Value<'b>> {
    match value {
        Value::Array(from) => {
            let to = arena.alloc_slice_fill_copy(from.len(), Value::Null);
            stack.push(Frame::Array { from, to, done: 0 });
            None
        }
        Value::Object(object) => {
            let from = object.entries();
            let to = arena.alloc_slice_fill_copy(from.len(), Entry::default());
            stack.push(Frame::Object { from, to, done: 0 });
            None
        }
        scalar => Some(copy(scalar, arena, 0)),
    }
}

fn next_child<'s>(frame: &Frame<'s, '_>) -> Option<Value<'s>> {
    match frame {
        Frame::Array { from, done, .. } => from.get(*done).copied(),
        Frame::Object { from, done, .. } => from.get(*done).map(|entry| entry.value),
    }
}

fn store<'b>(frame: &mut Frame<'_, 'b>, value: Value<'b>) {
    match frame {
        Frame::Array { to, done, .. } => {
            to[*done] = value;
            *done += 1;
        }
        Frame::Object { to, done, .. } => {
            to[*done].value = value;
            *done += 1;
        }
    }
}

fn freeze<'b>(frame: Frame<'_, 'b>, arena: &'b Arena) -> Value<'b> {
    match frame {
        Frame::Array { to, .. } => Value::Array(to),
        Frame::Object { from, to, .. } => {
            for (copy, entry) in to.iter_mut().zip(from) {
                copy.key = arena.alloc_str(entry.key);
            }
            Value::Object(Object::from_entries(arena, to))
        }
    }
}
