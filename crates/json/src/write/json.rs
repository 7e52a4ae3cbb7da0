//! The JSON writer. Recursion is fastest; below a fixed depth an explicit stack takes over, so deep nesting
//! cannot overflow the thread's stack.

use super::escape::{self, Escape};
use super::float;
use super::sink::{Count, Sink};
use crate::pause::Pace;
use crate::{Entry, Object, Value};

/// Options for writing JSON.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Format<'f> {
    /// The indentation per level; `None` is compact.
    pub indent: Option<&'f str>,
    /// Which characters are escaped beyond the minimum.
    pub escape: Escape,
    /// The order of keys.
    pub order: Order,
    /// How floats without a fraction are written.
    pub floats: Floats,
}

/// How floats without a fraction are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Floats {
    /// Like Go: `1`, which reads back as an integer.
    #[default]
    Go,
    /// As floats that read back as such: `1.0`.
    Marked,
}

/// The order of keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As in the object.
    #[default]
    Kept,
    /// By their bytes, like Go's maps.
    Sorted,
}

impl<'f> Format<'f> {
    /// The output of Go's `json.Marshal` for untyped data: compact, sorted, HTML-safe.
    pub const GO: Format<'static> = Format {
        indent: None,
        escape: Escape::Html,
        order: Order::Sorted,
        floats: Floats::Go,
    };

    /// Sets [`Format::indent`].
    #[must_use]
    pub fn indent(self, indent: &'f str) -> Self {
        Format {
            indent: Some(indent),
            ..self
        }
    }

    /// Sets [`Format::escape`].
    #[must_use]
    pub fn escape(self, escape: Escape) -> Self {
        Format { escape, ..self }
    }

    /// Sets [`Format::order`].
    #[must_use]
    pub fn order(self, order: Order) -> Self {
        Format { order, ..self }
    }

    /// Sets [`Format::floats`].
    #[must_use]
    pub fn floats(self, floats: Floats) -> Self {
        Format { floats, ..self }
    }

    /// Writes a value.
    #[must_use]
    pub fn to_string(self, value: Value<'_>) -> String {
        let mut out = String::with_capacity(256);
        self.append(&mut out, value);
        out
    }

    /// Appends a value.
    pub fn append(self, out: &mut String, value: Value<'_>) {
        self.write(out, value);
    }

    /// The length of a value as text, in bytes.
    #[must_use]
    pub fn len(self, value: Value<'_>) -> usize {
        let mut count = Count::default();
        self.write(&mut count, value);
        count.bytes
    }

    fn write<S: Sink>(self, out: &mut S, value: Value<'_>) {
        let mut writer = Writer {
            format: self,
            out,
            depth: 0,
            stack: Vec::new(),
            orders: Vec::new(),
            number: String::new(),
            pace: Pace::default(),
        };
        writer.value(value);
    }
}

struct Writer<'v, 'w, S> {
    format: Format<'w>,
    out: &'w mut S,
    /// Containers open in recursion; more are on the stack.
    depth: usize,
    stack: Vec<Frame<'v>>,
    /// Positions in key order of all open objects, each object's after its parent's.
    orders: Vec<u32>,
    /// Reused for the text of every float.
    number: String,
    pace: Pace,
}

/// A container being written; the children before `next` are done.
struct Frame<'v> {
    next: usize,
    children: Children<'v>,
}

#[derive(Clone, Copy)]
enum Children<'v> {
    Array(&'v [Value<'v>]),
    Object(&'v [Entry<'v>]),
    /// An object in key order; its positions start at this index in `orders`.
    Sorted(&'v [Entry<'v>], usize),
}

const MAX_RECURSION: usize = 64;

impl<'v, S: Sink> Writer<'v, '_, S> {
    fn value(&mut self, value: Value<'v>) {
        self.pace.step(|| self.out.held());
        match value {
            Value::Array(items) if !items.is_empty() && self.depth < MAX_RECURSION => self.array(items),
            Value::Object(object) if !object.is_empty() && self.depth < MAX_RECURSION => self.object(object),
            _ => {
                self.begin(value);
                while self.step() {}
            }
        }
    }

    fn array(&mut self, items: &'v [Value<'v>]) {
        self.out.push('[');
        self.depth += 1;
        for (position, &item) in items.iter().enumerate() {
            self.separator(position);
            self.value(item);
        }
        self.depth -= 1;
        self.line_break();
        self.out.push(']');
    }

    fn object(&mut self, object: Object<'v>) {
        self.out.push('{');
        self.depth += 1;
        let entries = object.entries();
        if self.format.order == Order::Sorted {
            let start = self.orders.len();
            object.append_order(&mut self.orders);
            for position in 0..entries.len() {
                let entry = entries[self.orders[start + position] as usize];
                self.entry(position, entry);
            }
            self.orders.truncate(start);
        } else {
            for (position, &entry) in entries.iter().enumerate() {
                self.entry(position, entry);
            }
        }
        self.depth -= 1;
        self.line_break();
        self.out.push('}');
    }

    fn entry(&mut self, position: usize, entry: Entry<'v>) {
        self.separator(position);
        self.key(entry.key);
        self.value(entry.value);
    }

    fn separator(&mut self, position: usize) {
        if position > 0 {
            self.out.push(',');
        }
        self.line_break();
    }

    fn key(&mut self, key: &str) {
        escape::write(self.out, key, self.format.escape);
        self.out
            .push_str(if self.format.indent.is_some() { ": " } else { ":" });
    }

    /// Writes a scalar; for a container only the opening bracket.
    fn begin(&mut self, value: Value<'v>) {
        match value {
            Value::Null => self.out.push_str("null"),
            Value::Bool(true) => self.out.push_str("true"),
            Value::Bool(false) => self.out.push_str("false"),
            Value::Int(number) => self.out.push_str(itoa::Buffer::new().format(number)),
            Value::Uint(number) => self.out.push_str(itoa::Buffer::new().format(number)),
            Value::Float(number) => {
                self.number.clear();
                float::append(&mut self.number, number);
                if self.format.floats == Floats::Marked && !self.number.contains(['.', 'e', 'n']) {
                    self.number.push_str(".0");
                }
                self.out.push_str(&self.number);
            }
            Value::Str(text) => escape::write(self.out, text, self.format.escape),
            Value::Array([]) => self.out.push_str("[]"),
            Value::Object(object) if object.is_empty() => self.out.push_str("{}"),
            Value::Array(items) => self.open('[', Children::Array(items)),
            Value::Object(object) => {
                let children = match self.format.order {
                    Order::Kept => Children::Object(object.entries()),
                    Order::Sorted => {
                        let start = self.orders.len();
                        object.append_order(&mut self.orders);
                        Children::Sorted(object.entries(), start)
                    }
                };
                self.open('{', children);
            }
        }
    }

    fn open(&mut self, bracket: char, children: Children<'v>) {
        self.out.push(bracket);
        self.stack.push(Frame { next: 0, children });
    }

    /// Writes the next child of the innermost container, or its end; false when everything is done.
    fn step(&mut self) -> bool {
        let Some(frame) = self.stack.last_mut() else {
            return false;
        };
        let position = frame.next;
        frame.next += 1;
        let (key, value) = match frame.children {
            Children::Array(items) => (None, items.get(position).copied()),
            Children::Object(entries) => split(entries.get(position)),
            Children::Sorted(entries, start) => {
                let entry = self
                    .orders
                    .get(start + position)
                    .and_then(|&at| entries.get(at as usize));
                split(entry)
            }
        };
        match value {
            Some(value) => self.child(position, key, value),
            None => self.close(),
        }
        true
    }

    fn child(&mut self, position: usize, key: Option<&str>, value: Value<'v>) {
        if position > 0 {
            self.out.push(',');
        }
        self.pace.step(|| self.out.held());
        self.line_break();
        if let Some(key) = key {
            escape::write(self.out, key, self.format.escape);
            self.out
                .push_str(if self.format.indent.is_some() { ": " } else { ":" });
        }
        self.begin(value);
    }

    fn close(&mut self) {
        let Some(frame) = self.stack.pop() else {
            return;
        };
        self.line_break();
        match frame.children {
            Children::Array(_) => self.out.push(']'),
            Children::Object(_) => self.out.push('}'),
            Children::Sorted(_, start) => {
                self.orders.truncate(start);
                self.out.push('}');
            }
        }
    }

    fn line_break(&mut self) {
        if let Some(indent) = self.format.indent {
            self.out.push('\n');
            (0..self.depth + self.stack.len()).for_each(|_| self.out.push_str(indent));
        }
    }
}

fn split<'v>(entry: Option<&Entry<'v>>) -> (Option<&'v str>, Option<Value<'v>>) {
    (entry.map(|entry| entry.key), entry.map(|entry| entry.value))
}
