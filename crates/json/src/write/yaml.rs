//! Writes values as YAML, byte for byte as sigs.k8s.io/yaml: block style, two spaces, sequences level with their key.
//!
//! Containers are kept on a stack of our own, so deep values need no deep stack. How a string looks is decided
//! elsewhere.

use super::yaml_order::sort;
use super::yaml_scalar::{append_indent, append_string, is_long_key};
use super::{Order, append_float, append_float_general};
use crate::{Entry, Value};

/// Writes a value as a YAML document. Sorted keys are in the order of sigs.k8s.io/yaml, where numbers in keys count.
#[must_use]
pub fn to_yaml(value: Value<'_>, order: Order) -> String {
    let mut out = String::new();
    append_yaml(&mut out, value, order);
    out
}

/// The same at the end of a text, which ends with a line break if it is not empty.
pub fn append_yaml(out: &mut String, value: Value<'_>, order: Order) {
    let mut writer = Writer {
        out,
        order,
        open: Vec::new(),
    };
    writer.value(value, 0, true);
    while let Some(frame) = writer.open.pop() {
        writer.step(frame);
    }
}

/// A container that is being written.
struct Frame<'a> {
    items: Items<'a>,
    next: usize,
    indent: usize,
    /// Its first child goes on the line that is already begun.
    inline: bool,
}

enum Items<'a> {
    Seq(&'a [Value<'a>]),
    Map(Vec<Entry<'a>>),
}

struct Writer<'o, 'a> {
    out: &'o mut String,
    order: Order,
    open: Vec<Frame<'a>>,
}

impl<'a> Writer<'_, 'a> {
    /// Writes a scalar with its line break, or opens a container whose children are indented by `indent`.
    fn value(&mut self, value: Value<'a>, indent: usize, inline: bool) {
        let items = match value {
            Value::Array([]) => return self.out.push_str("[]\n"),
            Value::Object(object) if object.is_empty() => return self.out.push_str("{}\n"),
            Value::Array(items) => Items::Seq(items),
            Value::Object(object) => Items::Map(self.entries(object)),
            scalar => return self.scalar(scalar, indent),
        };
        self.open.push(Frame {
            items,
            next: 0,
            indent,
            inline,
        });
    }

    fn entries(&self, object: crate::Object<'a>) -> Vec<Entry<'a>> {
        let mut entries = object.entries().to_vec();
        if self.order == Order::Sorted {
            sort(&mut entries);
        }
        entries
    }

    /// Writes the next child of a container.
    fn step(&mut self, mut frame: Frame<'a>) {
        let at = frame.next;
        let len = match &frame.items {
            Items::Seq(items) => items.len(),
            Items::Map(entries) => entries.len(),
        };
        if at == len {
            return;
        }
        if at > 0 || !frame.inline {
            self.indent(frame.indent);
        }
        frame.next += 1;
        let indent = frame.indent;
        match &frame.items {
            Items::Seq(items) => {
                let item = items[at];
                self.open.push(frame);
                self.out.push_str("- ");
                self.value(item, indent + 2, true);
            }
            Items::Map(entries) => {
                let Entry { key, value } = entries[at];
                self.open.push(frame);
                self.entry(key, value, indent);
            }
        }
    }

    fn indent(&mut self, indent: usize) {
        append_indent(self.out, indent);
    }

    fn entry(&mut self, key: &str, value: Value<'a>, indent: usize) {
        if is_long_key(key) {
            self.out.push_str("? ");
            append_string(self.out, key, indent + 2, true);
            self.indent(indent);
            self.out.push_str(": ");
            return self.value(value, indent + 2, true);
        }
        append_string(self.out, key, indent + 2, false);
        self.out.push(':');
        match value {
            Value::Array([_, ..]) => {
                self.out.push('\n');
                self.value(value, indent, false);
            }
            Value::Object(object) if !object.is_empty() => {
                self.out.push('\n');
                self.value(value, indent + 2, false);
            }
            _ => {
                self.out.push(' ');
                self.value(value, indent + 2, true);
            }
        }
    }

    fn scalar(&mut self, value: Value<'_>, indent: usize) {
        match value {
            Value::Bool(truth) => self.out.push_str(if truth { "true" } else { "false" }),
            Value::Int(number) => self.out.push_str(itoa::Buffer::new().format(number)),
            Value::Uint(number) => self.out.push_str(itoa::Buffer::new().format(number)),
            Value::Float(number) => append_number(self.out, number),
            Value::Str(text) => return append_string(self.out, text, indent.max(2), true),
            _ => self.out.push_str("null"),
        }
        self.out.push('\n');
    }
}

/// A float, as it looks after being JSON: what reads as an integer there is one.
fn append_number(out: &mut String, number: f64) {
    let mut literal = String::new();
    append_float(&mut literal, number);
    if let Ok(whole) = literal.parse::<i64>() {
        // An integer has no negative zero.
        out.push_str(itoa::Buffer::new().format(whole));
    } else if literal.parse::<u64>().is_ok() || !number.is_finite() {
        out.push_str(&literal);
    } else {
        append_float_general(out, number);
    }
}
